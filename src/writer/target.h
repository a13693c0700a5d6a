#ifndef ONNX_EXPOSE_WRITER_TARGET_H_
#define ONNX_EXPOSE_WRITER_TARGET_H_

#include <functional>
#include <string>

#include "onnx_expose/skeleton.h"
#include "onnx_expose/writer.h"

namespace onnx_expose {

[[noreturn]] void RefuseOutput(const std::string& path, const std::string& what,
                               const std::string& hint = "");

// Refuses (Error(kOutput)) a file that exists and isn't to be replaced, is a
// folder, the model itself or one of its data files. False: a device or pipe.
bool CheckNewFile(const Skeleton& model, const std::string& path,
                  const WriteOptions& options);

// Opens the place that `path` names, lets `write` fill it (false: errno) and
// puts it where it belongs: standard output ("-"), a device or pipe straight,
// a regular file complete or not at all. `bytes` is the expected size.
void WriteTarget(const std::string& path, bool force, uint64_t bytes,
                 const std::function<bool(int fd)>& write);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_WRITER_TARGET_H_
