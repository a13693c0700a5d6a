#include "tensor/file_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "onnx_expose/error.h"
#include "support/file.h"

namespace onnx_expose {
namespace {

[[noreturn]] void Fail(const std::string& path) {
  throw Error(ExitCode::kInput, path,
              {fmt::format("can't be read: {}", ErrnoText()), "", ""});
}

FileBytes ReadAll(int fd, const std::string& path) {
  auto all = std::make_shared<std::vector<std::byte>>();
  std::vector<std::byte> buffer(size_t{1} << 16);
  for (;;) {
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) Fail(path);
    if (got == 0) break;
    all->insert(all->end(), buffer.begin(), buffer.begin() + got);
  }
  return {*all, all};
}

FileBytes Map(int fd, const std::string& path) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) Fail(path);
  if (S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    Fail(path);
  }
  const auto size = static_cast<size_t>(info.st_size);
  if (!S_ISREG(info.st_mode) || size == 0) return ReadAll(fd, path);
  void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (at == MAP_FAILED) return ReadAll(fd, path);
  return {{static_cast<const std::byte*>(at), size},
          {at, [size](void* mapped) { ::munmap(mapped, size); }}};
}

}  // namespace

FileBytes MapFile(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) Fail(path);
  try {
    FileBytes bytes = Map(fd, path);
    ::close(fd);
    return bytes;
  } catch (...) {
    ::close(fd);
    throw;
  }
}

}  // namespace onnx_expose
