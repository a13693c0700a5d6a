#ifndef ONNX_EXPOSE_TENSOR_TENSOR_PROTO_H_
#define ONNX_EXPOSE_TENSOR_TENSOR_PROTO_H_

#include <onnx/onnx_pb.h>

#include "onnx_expose/tensor.h"

namespace onnx_expose {

// What a TensorProto holds, in whichever of its fields; raw_data is moved out.
// Throws FormatError.
Tensor FromTensorProto(onnx::TensorProto& proto);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_TENSOR_PROTO_H_
