#ifndef ONNX_EXPOSE_WRITER_DATA_FILES_H_
#define ONNX_EXPOSE_WRITER_DATA_FILES_H_

#include <string>
#include <vector>

#include "onnx_expose/skeleton.h"
#include "onnx_expose/writer.h"

namespace onnx_expose {

// Refuses (Error(kOutput)) a target in another folder than the model's data
// files when they are not to be copied, and data files that may not be copied:
// absolute, with "..", or links that leave the folder.
void CheckDataFiles(const Skeleton& model, const std::string& path,
                    const WriteOptions& options);

// Data files that were copied beside an output; taken away again unless the
// output got there too.
class CopiedFiles {
 public:
  // Copies, if `path` is in another folder and the options ask for it. Each
  // file appears complete or not at all.
  CopiedFiles(const Skeleton& model, const std::string& path,
              const WriteOptions& options);
  ~CopiedFiles();
  CopiedFiles(const CopiedFiles&) = delete;
  CopiedFiles& operator=(const CopiedFiles&) = delete;

  void Keep() { created_.clear(); }

 private:
  void Remove();

  std::vector<std::string> created_;  // files and folders, in order
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_WRITER_DATA_FILES_H_
