#ifndef ONNX_EXPOSE_LOADER_TEXT_MODEL_H_
#define ONNX_EXPOSE_LOADER_TEXT_MODEL_H_

#include <onnx/onnx_pb.h>

#include <string>

#include "loader/file_kind.h"

namespace onnx_expose {

// A model from ONNX text syntax (.onnxtxt) or protobuf text format
// (.textproto). Error(kInput) says where it can't be read.
onnx::ModelProto ParseText(const std::string& text, TextKind kind,
                           const std::string& path);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_LOADER_TEXT_MODEL_H_
