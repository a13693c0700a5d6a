#include "support/file.h"

#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace onnx_expose {
namespace {

// Per call: small enough for a signal to be noticed soon, large enough not to
// matter.
constexpr uint64_t kCopyStep = uint64_t{64} << 20;
constexpr uint64_t kBuffer = uint64_t{1} << 20;
constexpr uint64_t kPage = 4096;
// Below this, two system calls of our own are cheaper than one in the kernel.
constexpr uint64_t kSmallCopy = 16384;

// Bytes from `place` in the target to the next multiple of `block`: the kernel
// writes 64 KiB at a time, and a quarter faster where those are aligned.
uint64_t ToBoundary(off_t place, uint64_t block) {
  return place < 0 ? block : block - static_cast<uint64_t>(place) % block;
}

bool CopyThroughBuffer(int from, uint64_t offset, uint64_t size, int to) {
  std::vector<char> buffer(std::min(size, kBuffer));
  uint64_t most = ToBoundary(::lseek(to, 0, SEEK_CUR), kBuffer);
  while (size > 0) {
    const size_t step = std::min({size, most, buffer.size()});
    if (!ReadAt(from, offset, buffer.data(), step) ||
        !WriteAll(to, {buffer.data(), step})) {
      return false;
    }
    offset += step;
    size -= step;
    most = kBuffer;
  }
  return true;
}

// Whether a failed copy inside the kernel may still work another way: the file
// systems or kinds of file don't support it.
bool Unsupported() {
  return errno == EXDEV || errno == EINVAL || errno == ENOSYS ||
         errno == EOPNOTSUPP || errno == EBADF || errno == EPERM;
}

}  // namespace

bool ReadAt(int fd, uint64_t offset, void* into, size_t size) {
  char* at = static_cast<char*>(into);
  while (size > 0) {
    const ssize_t got = ::pread(fd, at, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      if (got == 0) errno = 0;
      return false;
    }
    at += got;
    offset += static_cast<uint64_t>(got);
    size -= static_cast<size_t>(got);
  }
  return true;
}

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  return true;
}

bool CopyRange(int from, uint64_t offset, uint64_t size, int to) {
  bool in_file = true;  // copy_file_range first, then sendfile for pipes
  while (size > kSmallCopy) {
    const off_t place = ::lseek(to, 0, SEEK_CUR);
    auto at = static_cast<off_t>(offset);
    // The kernel would take each page apart: half as fast as a buffer.
    if (place >= 0 && (place - at) % static_cast<off_t>(kPage) != 0) break;
    const size_t step = std::min(size, ToBoundary(place, kCopyStep));
    const ssize_t put = in_file
                            ? ::copy_file_range(from, &at, to, nullptr, step, 0)
                            : ::sendfile(to, from, &at, step);
    if (put > 0) {
      offset += static_cast<uint64_t>(put);
      size -= static_cast<uint64_t>(put);
      continue;
    }
    if (put == 0) break;  // the end, or a file system that pretends; look again
    if (errno == EINTR) continue;
    if (!Unsupported()) return false;
    if (!in_file) break;
    in_file = false;
  }
  return CopyThroughBuffer(from, offset, size, to);
}

std::string ErrnoText() { return std::strerror(errno); }

std::string FolderOf(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool SameFolder(const std::string& a, const std::string& b) {
  struct stat first {};
  struct stat second {};
  return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

bool IsLink(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
}

std::string RealPath(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(
      ::realpath(path.c_str(), nullptr), &std::free);
  return real == nullptr ? path : std::string(real.get());
}

}  // namespace onnx_expose
