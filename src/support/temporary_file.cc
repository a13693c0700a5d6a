#include "support/temporary_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>

#include "support/file.h"

namespace onnx_expose {
namespace {

// What a signal handler may look at: plain arrays and lock-free flags.
enum State { kFree, kBeingFilled, kFile, kFolder };
struct Slot {
  std::atomic<int> used{kFree};
  std::array<char, PATH_MAX> path{};
};
std::array<Slot, 8> slots;
static_assert(std::atomic<int>::is_always_lock_free);

int Register(const std::string& path, State state) {
  if (path.size() + 1 > PATH_MAX) return -1;
  for (size_t i = 0; i < slots.size(); ++i) {
    int free = kFree;
    if (!slots[i].used.compare_exchange_strong(free, kBeingFilled)) continue;
    std::memcpy(slots[i].path.data(), path.c_str(), path.size() + 1);
    slots[i].used.store(state);
    return static_cast<int>(i);
  }
  return -1;
}

void Forget(int slot) {
  if (slot >= 0) slots[static_cast<size_t>(slot)].used.store(kFree);
}

// By system calls alone: a signal handler may not read folders as others do.
void RemoveTree(int parent, const char* name) {
  const int fd =
      ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return;
  alignas(dirent64) std::array<char, 4096> block;
  while (true) {
    const long size = ::syscall(SYS_getdents64, fd, block.data(), block.size());
    if (size <= 0) break;
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(block.data() + at);
      at += entry->d_reclen;
      const bool folder = entry->d_type == DT_DIR;
      const bool dots = std::strcmp(entry->d_name, ".") == 0 ||
                        std::strcmp(entry->d_name, "..") == 0;
      if (folder && !dots) RemoveTree(fd, entry->d_name);
      if (!folder) ::unlinkat(fd, entry->d_name, 0);
    }
  }
  ::close(fd);
  ::unlinkat(parent, name, AT_REMOVEDIR);
}

}  // namespace

TemporaryFile::~TemporaryFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!path_.empty()) {
    ::unlink(path_.c_str());
    Forget(slot_);
  }
}

bool TemporaryFile::Create(const std::string& target) {
  const std::string folder = FolderOf(target);
  for (int attempt = 0; attempt < 100; ++attempt) {
    path_ =
        fmt::format("{}/.onnx-expose-{}-{}.tmp", folder, ::getpid(), attempt);
    // Known before it exists: a signal in between leaves nothing behind.
    slot_ = Register(path_, kFile);
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd_ >= 0) return true;
    const int why = errno;
    Forget(slot_);
    path_.clear();
    errno = why;
    if (why != EEXIST) return false;
  }
  return false;
}

bool TemporaryFile::MoveTo(const std::string& target, bool replace, bool sync) {
  if (sync && ::fsync(fd_) != 0) return false;
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0) return false;
  if (replace) {
    if (::rename(path_.c_str(), target.c_str()) != 0) return false;
  } else if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target.c_str(),
                         RENAME_NOREPLACE) != 0) {
    // File systems without that flag: a link refuses an existing target too.
    if (errno != EINVAL && errno != ENOSYS) return false;
    if (::link(path_.c_str(), target.c_str()) != 0) return false;
    ::unlink(path_.c_str());
  }
  path_.clear();
  Forget(slot_);
  return true;
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  RemoveTree(AT_FDCWD, path_.c_str());
  Forget(slot_);
}

bool TemporaryFolder::Create(const std::string& folder) {
  std::string path = folder + "/.onnx-expose-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return false;
  path_ = path;
  slot_ = Register(path_, kFolder);
  return true;
}

void RemoveTemporaryFiles() {
  for (Slot& slot : slots) {
    const int state = slot.used.load();
    if (state == kFile) ::unlink(slot.path.data());
    if (state == kFolder) RemoveTree(AT_FDCWD, slot.path.data());
  }
}

}  // namespace onnx_expose
