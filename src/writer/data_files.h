#ifndef ONNX_EXPOSE_WRITER_DATA_FILES_H_
#define ONNX_EXPOSE_WRITER_DATA_FILES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "onnx_expose/skeleton.h"
#include "onnx_expose/writer.h"

namespace onnx_expose {

// A data file of the model, as it was when it was looked at.
struct DataFile {
  std::string path;
  uint64_t size = 0;
  uint64_t device = 0;
  uint64_t inode = 0;
};

// Bytes of the model file or of one of its data files.
struct FileSpan {
  const DataFile* file = nullptr;  // null: the model file
  uint64_t offset = 0;
  uint64_t size = 0;
};

// Looks at the data file at `location`, relative to the model's folder. Refuses
// (Error(kOutput)) those that runtimes don't read either (onnx-facts 7) and
// that the model may have no business with: absolute, with "..", links that
// leave the folder, more than one hard link. Error(kInput): not there or no
// regular file. `what` says what is not done with it: "copied".
DataFile FindDataFile(const Skeleton& model, const std::string& location,
                      const std::string& what);

// Error(kInput) if it isn't the same file any more.
std::unique_ptr<InputFile> OpenDataFile(const DataFile& file);

// Refuses (Error(kOutput)) a target in another folder than the model's data
// files when they are not to be copied, and data files that may not be copied.
void CheckDataFiles(const Skeleton& model, const std::string& path,
                    const WriteOptions& options);

// Files and folders that appear together with an output: taken away again
// unless the output got there too.
class CreatedFiles {
 public:
  CreatedFiles() = default;
  ~CreatedFiles();
  CreatedFiles(const CreatedFiles&) = delete;
  CreatedFiles& operator=(const CreatedFiles&) = delete;

  void Add(const std::string& path) { paths_.push_back(path); }
  void Keep() { paths_.clear(); }

 private:
  std::vector<std::string> paths_;  // a folder before what it holds
};

// Copies the model's data files, if `path` is in another folder and the options
// ask for it. Each file appears complete or not at all.
void CopyDataFiles(const Skeleton& model, const std::string& path,
                   const WriteOptions& options, CreatedFiles& created);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_WRITER_DATA_FILES_H_
