#include "writer/target.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "model/tensors.h"
#include "onnx_expose/error.h"
#include "support/file.h"
#include "support/temporary_file.h"
#include "support/text.h"
#include "writer/data_files.h"
#include "writer/weights_check.h"

namespace onnx_expose {
namespace {

// A larger file is left to the kernel to write back: waiting for the disk would
// cost several times the copy, and `cp` doesn't wait either (issue 3 allows 1.1
// times `cp`). Renamed or not, it is never seen half-written while the machine
// runs.
constexpr uint64_t kLargestSynced = uint64_t{4} << 20;

void RefuseModelItself(const Skeleton& model, const std::string& path,
                       const struct stat& info) {
  if (model.source->IsSameFile(info.st_dev, info.st_ino)) {
    throw Error(ExitCode::kOutput, path,
                {"is the model itself",
                 "models are never changed in place, not even with --force",
                 "choose another name for the output"});
  }
  for (const std::string& location : ExternalLocations(model)) {
    struct stat data {};
    const std::string file = DataFolder(model) + "/" + location;
    if (::stat(file.c_str(), &data) == 0 && data.st_dev == info.st_dev &&
        data.st_ino == info.st_ino) {
      throw Error(ExitCode::kOutput, path,
                  {"is a data file of the model",
                   fmt::format("the weights lie in {}", Quoted(location)),
                   "choose another name for the output"});
    }
  }
}

void RefuseMissingFolder(const std::string& path) {
  struct stat info {};
  const std::string folder = FolderOf(path);
  if (::stat(folder.c_str(), &info) != 0) {
    RefuseOutput(path, fmt::format("the folder {} can't be used: {}",
                                   Quoted(folder), ErrnoText()));
  }
  if (!S_ISDIR(info.st_mode)) {
    RefuseOutput(path, fmt::format("{} is not a folder", Quoted(folder)));
  }
}

[[noreturn]] void FailWrite(const std::string& path) {
  throw Error(ExitCode::kOutput, path,
              {fmt::format("can't be written: {}", ErrnoText()),
               "nothing was left behind",
               errno == ENOSPC || errno == EDQUOT || errno == EFBIG
                   ? "make room or choose another folder"
                   : ""});
}

}  // namespace

void RefuseOutput(const std::string& path, const std::string& what,
                  const std::string& hint) {
  throw Error(ExitCode::kOutput, path, {what, "", hint});
}

bool CheckNewFile(const Skeleton& model, const std::string& path,
                  const WriteOptions& options) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) {
    RefuseModelItself(model, path, info);
    if (S_ISDIR(info.st_mode)) RefuseOutput(path, "is a folder");
    if (!S_ISREG(info.st_mode)) return false;
  }
  if (!options.force && ::lstat(path.c_str(), &info) == 0) {
    RefuseOutput(path, "exists already", "add --force to replace it");
  }
  return true;
}

void CheckTarget(const Skeleton& model, const std::string& path,
                 const WriteOptions& options) {
  struct stat info {};
  if (path == "-") {
    if (::fstat(STDOUT_FILENO, &info) == 0) {
      RefuseModelItself(model, path, info);
    }
  } else {
    RefuseMissingFolder(path);
    if (CheckNewFile(model, path, options)) {
      CheckDataFiles(model, path, options);
    }
  }
  CheckWeights(model, path, options);
}

void WriteTarget(const std::string& path, bool force, uint64_t bytes,
                 const std::function<bool(int fd)>& write) {
  if (path == "-") {
    if (!write(STDOUT_FILENO)) FailWrite("standard output");
    return;
  }
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) FailWrite(path);
    const bool written = write(fd);
    const int why = errno;
    const bool closed = ::close(fd) == 0;
    if (!written) errno = why;
    if (!written || !closed) FailWrite(path);
    return;
  }
  TemporaryFile file;
  if (!file.Create(path) || !write(file.fd())) FailWrite(path);
  if (!file.MoveTo(path, force, bytes <= kLargestSynced)) {
    if (errno == EEXIST) {
      RefuseOutput(path, "exists already", "add --force to replace it");
    }
    FailWrite(path);
  }
}

}  // namespace onnx_expose
