#ifndef ONNX_EXPOSE_RUNTIME_VALUES_H_
#define ONNX_EXPOSE_RUNTIME_VALUES_H_

#include "onnx_expose/tensor.h"
#include "runtime/ort.h"

namespace onnx_expose {

// ONNX Runtime's number for an element type of TensorProto, and back; 0 for
// what the other side doesn't have.
int ToRuntimeType(int element_type);
int FromRuntimeType(int runtime_type);

// A value for ONNX Runtime that refers to the bytes of `data`, which must
// outlive it. Error(kRuntime): what its C interface can't make (an optional
// that is none, an empty sequence).
Ort::Value ToRuntime(const Data& data);

// The other way round: the result owns `value`, and doesn't copy numbers.
// Error(kRuntime) for sparse tensors and opaque types.
Data FromRuntime(Ort::Value value);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_VALUES_H_
