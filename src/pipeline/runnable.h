#ifndef ONNX_EXPOSE_PIPELINE_RUNNABLE_H_
#define ONNX_EXPOSE_PIPELINE_RUNNABLE_H_

#include <string>

#include "onnx_expose/runtime.h"
#include "onnx_expose/skeleton.h"
#include "support/temporary_file.h"

namespace onnx_expose {

// A folder for models that a runtime wants to read from a file, and for values
// that don't fit into memory. Made when it is needed first, gone at the end.
class ScratchFolder {
 public:
  // It will lie beside `path`.
  explicit ScratchFolder(const std::string& path) : beside_(path) {}

  // A path in it that nobody has yet.
  std::string NewPath(const std::string& name);

 private:
  std::string beside_;
  TemporaryFolder folder_;
  int count_ = 0;
};

// A changed model for `runtime`: in memory, with its weights where they are in
// the file; for older versions that can't have that, written to `scratch`.
ModelSource Runnable(const Skeleton& model, const Runtime& runtime,
                     ScratchFolder& scratch);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_PIPELINE_RUNNABLE_H_
