#include "tensor/file_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <vector>

#include "onnx_expose/error.h"
#include "support/file.h"

namespace onnx_expose {
namespace {

struct Unmap {
  size_t size = 0;
  void operator()(void* mapped) const { ::munmap(mapped, size); }
};

// Of a read-only mapping: dropped pages come back from the file.
void Drop(std::span<const std::byte> bytes) {
  static const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<uintptr_t>(bytes.data());
  const uintptr_t first = address / page * page;
  const uintptr_t end = address + bytes.size();
  ::madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
}

struct Forget {
  FileBytes file;
  std::span<const std::byte> part;
  void operator()(const void* /*part*/) const { Drop(part); }
};

bool IsMapped(const std::shared_ptr<const void>& owner) {
  return std::get_deleter<Unmap>(owner) != nullptr ||
         std::get_deleter<Forget>(owner) != nullptr;
}

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
          std::shared_ptr<void>(at, Unmap{size})};
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

uint64_t BytesToMap(const std::string& path) {
  struct stat info {};
  if (!path.ends_with(".npy") || ::stat(path.c_str(), &info) != 0) {
    return UINT64_MAX;
  }
  return static_cast<uint64_t>(info.st_size);
}

FileBytes PartOf(const FileBytes& file, std::span<const std::byte> part) {
  if (!IsMapped(file.owner)) return {part, file.owner};
  return {part, std::shared_ptr<const void>(part.data(), Forget{file, part})};
}

void ForgetPages(const std::shared_ptr<const void>& owner,
                 std::span<const std::byte> bytes) {
  // Small ones are gone soon enough.
  constexpr size_t kWorthwhile = size_t{1} << 17;
  if (bytes.size() < kWorthwhile || !IsMapped(owner)) return;
  Drop(bytes);
}

}  // namespace onnx_expose
