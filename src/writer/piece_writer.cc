#include "writer/piece_writer.h"

#include <cerrno>

#include "onnx_expose/error.h"
#include "support/file.h"

namespace onnx_expose {
namespace {

// Small pieces are gathered; larger ones are not worth another copy.
constexpr size_t kGather = size_t{1} << 20;
constexpr uint64_t kSmallSpan = uint64_t{1} << 14;

// A file that changes while it is copied would give a silently wrong result.
void RefuseChanged(const InputFile& file) {
  if (!file.HasChanged()) return;
  throw Error(ExitCode::kInput, file.path(),
              {"the file changed while it was read", "", "try again"});
}

}  // namespace

bool PieceWriter::Bytes(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kGather && !Flush()) return false;
  if (bytes.size() > kGather) return WriteAll(fd_, bytes);
  buffer_.append(bytes);
  return true;
}

bool PieceWriter::Span(const FileSpan& span) {
  const InputFile& from = Open(span.file);
  if (span.size > kSmallSpan) {
    if (!Flush()) return false;
    if (CopyRange(from.fd(), span.offset, span.size, fd_)) return true;
  } else {
    std::string bytes(span.size, '\0');
    if (ReadAt(from.fd(), span.offset, bytes.data(), bytes.size())) {
      return Bytes(bytes);
    }
  }
  const int why = errno;
  RefuseChanged(from);
  errno = why;
  return false;
}

bool PieceWriter::Finish() {
  if (!Flush()) return false;
  RefuseChanged(model_);
  if (data_ != nullptr) RefuseChanged(*data_);
  return true;
}

const InputFile& PieceWriter::Open(const DataFile* file) {
  if (file == nullptr) return model_;
  if (open_ != file) {
    if (data_ != nullptr) RefuseChanged(*data_);
    data_ = OpenDataFile(*file);
    open_ = file;
  }
  return *data_;
}

bool PieceWriter::Flush() {
  const bool written = WriteAll(fd_, buffer_);
  buffer_.clear();
  return written;
}

}  // namespace onnx_expose
