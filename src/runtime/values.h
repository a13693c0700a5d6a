#ifndef ONNX_EXPOSE_RUNTIME_VALUES_H_
#define ONNX_EXPOSE_RUNTIME_VALUES_H_

#include "onnx_expose/feeds.h"
#include "onnx_expose/tensor.h"
#include "runtime/ort.h"

namespace onnx_expose {

// ONNX Runtime's number for an element type of TensorProto, and back; 0 for
// what the other side doesn't have.
int ToRuntimeType(int element_type);
int FromRuntimeType(int runtime_type);

// A value for the input `wanted` that refers to the bytes of `data`, which must
// outlive it; not of an optional that is none, which is an input that isn't
// fed. Error(kRuntime) for types that ONNX Runtime doesn't have.
Ort::Value ToRuntime(const Ort::Env& env, const InputInfo& wanted,
                     const Data& data);

// The other way round: the result owns `value`, and doesn't copy numbers.
// Error(kRuntime) for sparse tensors and opaque types.
Data FromRuntime(Ort::Value value);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_VALUES_H_
