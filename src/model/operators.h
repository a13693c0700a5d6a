#ifndef ONNX_EXPOSE_MODEL_OPERATORS_H_
#define ONNX_EXPOSE_MODEL_OPERATORS_H_

#include <onnx/onnx_pb.h>

namespace onnx_expose {

// Whether the operator draws random numbers, so that its outputs are no
// constants whatever it reads.
bool IsRandom(const onnx::NodeProto& node);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_OPERATORS_H_
