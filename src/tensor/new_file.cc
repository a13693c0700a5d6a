#include "tensor/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "onnx_expose/error.h"
#include "support/file.h"

namespace onnx_expose {

void FailToWrite(const std::string& path) {
  const bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
  throw Error(ExitCode::kOutput, path,
              {fmt::format("can't be written: {}", ErrnoText()), "",
               full ? "make room or choose another folder" : ""});
}

NewFile::NewFile(std::string path) : path_(std::move(path)) {
  fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd_ < 0) FailToWrite(path_);
}

NewFile::~NewFile() {
  if (fd_ >= 0) ::close(fd_);
}

void NewFile::Write(std::string_view bytes) {
  if (!WriteAll(fd_, bytes)) FailToWrite(path_);
  size_ += bytes.size();
}

void NewFile::Patch(uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put =
        ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) FailToWrite(path_);
    bytes.remove_prefix(static_cast<size_t>(put));
    offset += static_cast<uint64_t>(put);
  }
}

void NewFile::Close() {
  const int fd = std::exchange(fd_, -1);
  if (fd >= 0 && ::close(fd) != 0) FailToWrite(path_);
}

}  // namespace onnx_expose
