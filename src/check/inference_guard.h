#ifndef ONNX_EXPOSE_CHECK_INFERENCE_GUARD_H_
#define ONNX_EXPOSE_CHECK_INFERENCE_GUARD_H_

#include <onnx/defs/shape_inference.h>
#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>

namespace onnx_expose {

// Why the onnx library's inference function for this node must not be called:
// it would read outside of its arrays or take memory without bounds. Empty: it
// may.
std::string InferenceHazard(const onnx::NodeProto& node,
                            const onnx::InferenceContext& context);

// How much there is to look at in an attribute, and in a node for which the
// work of looking at it is one step and more.
uint64_t Weight(const onnx::AttributeProto& attribute);
uint64_t Weight(const onnx::NodeProto& node);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_CHECK_INFERENCE_GUARD_H_
