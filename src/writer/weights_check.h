#ifndef ONNX_EXPOSE_WRITER_WEIGHTS_CHECK_H_
#define ONNX_EXPOSE_WRITER_WEIGHTS_CHECK_H_

#include <string>

#include "onnx_expose/skeleton.h"
#include "onnx_expose/writer.h"

namespace onnx_expose {

// Refuses (Error(kOutput)) a reference that the ONNX checker or ONNX Runtime
// would refuse to follow, and a data file that can't be beside the output.
void CheckWeights(const Skeleton& model, const std::string& path,
                  const WriteOptions& options);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_WRITER_WEIGHTS_CHECK_H_
