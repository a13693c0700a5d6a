#ifndef ONNX_EXPOSE_MODEL_FUNCTION_ATTRIBUTES_H_
#define ONNX_EXPOSE_MODEL_FUNCTION_ATTRIBUTES_H_

#include <onnx/onnx_pb.h>

#include <map>
#include <string>

namespace onnx_expose {

using BoundAttributes = std::map<std::string, const onnx::AttributeProto*>;

// What a call says of the function's attributes, or the function by default.
BoundAttributes AttributesOf(const onnx::FunctionProto& function,
                             const onnx::NodeProto& call);

// Replaces references to attributes of the function by their values, in the
// node and its bodies; those without a value go.
void Bind(onnx::NodeProto& node, const BoundAttributes& bound);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_FUNCTION_ATTRIBUTES_H_
