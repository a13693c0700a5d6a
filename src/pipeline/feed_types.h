#ifndef ONNX_EXPOSE_PIPELINE_FEED_TYPES_H_
#define ONNX_EXPOSE_PIPELINE_FEED_TYPES_H_

#include <onnx/onnx_pb.h>

#include "onnx_expose/tensor.h"

namespace onnx_expose {

// The type of a value that is there, dims and all. What data doesn't say (the
// element type of an empty sequence or of an optional that is none) comes from
// `known`.
onnx::TypeProto TypeOf(const Data& data, const onnx::TypeProto& known);

// The type of a value for a model that is to be fed with it: what `known` says,
// without the dims that turned out otherwise. No more than that, for a fact
// that inference didn't have may prove a branch wrong that is never taken.
onnx::TypeProto InputType(const Data& data, const onnx::TypeProto& known);

// Bytes that a value takes in memory; those of strings roughly.
uint64_t SizeOf(const Data& data);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_PIPELINE_FEED_TYPES_H_
