#ifndef ONNX_EXPOSE_SUPPORT_TEMPORARY_FILE_H_
#define ONNX_EXPOSE_SUPPORT_TEMPORARY_FILE_H_

#include <string>

namespace onnx_expose {

// A file in the folder of `target` under a name of its own, open for writing,
// that takes the target's place when it is complete. Removed by the destructor
// unless it got there, and by RemoveTemporaryFiles.
//
//   TemporaryFile file;
//   if (!file.Create("out.onnx")) ...     // errno
//   WriteAll(file.fd(), bytes);
//   if (!file.MoveTo("out.onnx", /*replace=*/false)) ...
class TemporaryFile {
 public:
  TemporaryFile() = default;
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  // With the mode that any new file would have. False: errno says why.
  bool Create(const std::string& target);
  int fd() const { return fd_; }

  // Syncs, closes and renames. With `replace` false an existing target stays
  // and errno is EEXIST.
  bool MoveTo(const std::string& target, bool replace, bool sync);

 private:
  int fd_ = -1;
  int slot_ = -1;
  std::string path_;
};

// A folder of its own, removed with all that is in it by the destructor and by
// RemoveTemporaryFiles.
class TemporaryFolder {
 public:
  TemporaryFolder() = default;
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // Makes it in `folder`. False: errno says why.
  bool Create(const std::string& folder);
  // Empty before that.
  const std::string& path() const { return path_; }

 private:
  int slot_ = -1;
  std::string path_;
};

// Removes every temporary file and folder. Safe in a signal handler.
void RemoveTemporaryFiles();

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SUPPORT_TEMPORARY_FILE_H_
