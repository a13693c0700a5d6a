#include "pipeline/boundary.h"

#include <fcntl.h>
#include <unistd.h>

#include <string_view>
#include <utility>

#include "onnx_expose/element_types.h"
#include "onnx_expose/error.h"
#include "onnx_expose/tensor_files.h"
#include "pipeline/feed_types.h"
#include "support/file.h"

namespace onnx_expose {
namespace {

// A file costs more than it saves below this.
constexpr uint64_t kSmallestSpilled = uint64_t{1} << 20;

}  // namespace

Boundary::~Boundary() {
  for (const auto& [value, kept] : values_) {
    if (!kept.file.empty()) ::unlink(kept.file.c_str());
  }
}

void Boundary::Add(int value, Data data) {
  Kept kept{std::move(data), "", 0};
  kept.size = SizeOf(kept.data);
  const bool has_bytes = !kept.data.tensor.bytes.empty();
  if (has_bytes && kept.size >= kSmallestSpilled &&
      bytes_ + kept.size > memory_) {
    Spill(kept);
  } else {
    bytes_ += kept.size;
  }
  values_[value] = std::move(kept);
}

void Boundary::Spill(Kept& kept) {
  kept.file = scratch_.NewPath("value");
  const int fd =
      ::open(kept.file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  Tensor& tensor = kept.data.tensor;
  const std::string_view bytes(
      reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  const bool written = fd >= 0 && WriteAll(fd, bytes);
  const std::string why = ErrnoText();
  const bool closed = fd < 0 || ::close(fd) == 0;
  if (!written || !closed) {
    throw Error(ExitCode::kOutput, kept.file,
                {"can't be written: " + why, "", ""});
  }
  tensor.bytes = {};
  tensor.owner.reset();
}

bool Boundary::Has(int value) const { return values_.count(value) > 0; }

Data Boundary::Get(int value) const {
  const Kept& kept = values_.at(value);
  if (kept.file.empty()) return kept.data;
  Data data;
  data.tensor =
      ReadRaw(kept.file, kept.data.tensor.type, kept.data.tensor.shape);
  return data;
}

void Boundary::Drop(int value) {
  const auto found = values_.find(value);
  if (found == values_.end()) return;
  if (found->second.file.empty()) {
    bytes_ -= found->second.size;
  } else {
    ::unlink(found->second.file.c_str());
  }
  values_.erase(found);
}

}  // namespace onnx_expose
