#ifndef ONNX_EXPOSE_RUNTIME_EMPTY_SEQUENCE_H_
#define ONNX_EXPOSE_RUNTIME_EMPTY_SEQUENCE_H_

#include "runtime/ort.h"

namespace onnx_expose {

// ONNX Runtime's C interface has no function for a sequence without tensors: a
// model of one node computes it.
Ort::Value EmptySequence(const Ort::Env& env, int element_type);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_EMPTY_SEQUENCE_H_
