#include "loader/byte_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "onnx_expose/error.h"
#include "support/file.h"

namespace onnx_expose {
namespace {

constexpr uint64_t kWindow = uint64_t{1} << 18;
// After a jump over a payload only the next few records are wanted.
constexpr uint64_t kJumpWindow = uint64_t{1} << 13;

}  // namespace

void ByteSource::Fill(uint64_t offset) {
  const bool jump = offset != start_ + filled_;
  const uint64_t want = std::min(jump ? kJumpWindow : kWindow, size() - offset);
  window_.resize(std::max<size_t>(window_.size(), want));
  filled_ = 0;
  if (!ReadAt(file_.fd(), offset, window_.data(), want)) FailRead(offset);
  start_ = offset;
  filled_ = want;
}

void ByteSource::Append(uint64_t offset, uint64_t size, std::string& out) {
  if (offset >= start_ && offset - start_ <= filled_ &&
      size <= filled_ - (offset - start_)) {
    out.append(window_.data() + (offset - start_), size);
    return;
  }
  if (size < kJumpWindow) {
    for (uint64_t i = 0; i < size; ++i) {
      out.push_back(static_cast<char>(At(offset + i)));
    }
    return;
  }
  const size_t before = out.size();
  out.resize(before + size);
  if (!ReadAt(file_.fd(), offset, out.data() + before, size)) FailRead(offset);
}

void ByteSource::FailRead(uint64_t offset) const {
  throw Error(ExitCode::kInput, path(),
              {errno == 0 ? "the file became shorter while it was read"
                          : fmt::format("can't be read at offset {}: {}",
                                        offset, ErrnoText()),
               "", ""});
}

}  // namespace onnx_expose
