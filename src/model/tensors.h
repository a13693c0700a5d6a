#ifndef ONNX_EXPOSE_MODEL_TENSORS_H_
#define ONNX_EXPOSE_MODEL_TENSORS_H_

#include <onnx/onnx_pb.h>

#include <functional>
#include <string>

#include "onnx_expose/skeleton.h"

namespace onnx_expose {

// Calls `visit` for every tensor of the model in file order: initializers,
// sparse initializers, attributes of nodes in the main graph, bodies,
// functions and training info.
void ForEachTensor(const onnx::ModelProto& model,
                   const std::function<void(const onnx::TensorProto&)>& visit);
void ForEachTensor(onnx::ModelProto& model,
                   const std::function<void(onnx::TensorProto&)>& visit);

// Only those whose data may lie in another file for every reader: all but the
// indices of sparse tensors, which the ONNX checker wants to see.
void ForEachMovableTensor(onnx::ModelProto& model,
                          const std::function<void(onnx::TensorProto&)>& visit);

// Whether the payload of a tensor, or a list of an attribute, stayed in the
// file (skeleton.h).
bool IsElided(const google::protobuf::Message& message);

inline bool IsExternal(const onnx::TensorProto& tensor) {
  return tensor.data_location() == onnx::TensorProto::EXTERNAL;
}

// The value of an external_data key ("location"); empty if it isn't there.
std::string ExternalEntry(const onnx::TensorProto& tensor,
                          const std::string& key);

// The folder that data locations are relative to: that of the model file, or
// of what it links to, as ONNX Runtime has it. "." for standard input.
std::string DataFolder(const Skeleton& model);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_TENSORS_H_
