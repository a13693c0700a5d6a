#ifndef ONNX_EXPOSE_LOADER_H_
#define ONNX_EXPOSE_LOADER_H_

#include <string>

#include "onnx_expose/skeleton.h"

namespace onnx_expose {

// Reads the model at `path` ("-": standard input) without its weights: the
// file is scanned with pread through a small window, so memory does not grow
// with the weights and files over 2 GiB are fine. External data files are
// never opened. Text models (ONNX text syntax and protobuf text format) are
// recognised by content.
//
// Throws Error(kInput): not there, not readable, not an ONNX model (and what
// it is instead), truncated or malformed (with the offset), nested deeper than
// the 100 message levels protobuf readers accept.
//
//   Skeleton model = LoadModel("model.onnx");
Skeleton LoadModel(const std::string& path);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_LOADER_H_
