#ifndef ONNX_EXPOSE_CHECK_TYPE_MATCH_H_
#define ONNX_EXPOSE_CHECK_TYPE_MATCH_H_

#include <onnx/onnx_pb.h>

namespace onnx_expose {

// How a declared type fits the one that is known to be true.
enum class TypeMatch {
  kFits,    // what one of them leaves open fits anything
  kSymbol,  // a fixed dim where the truth is a symbol
  kShape,   // another rank or another fixed dim
  kType,    // another kind or another element type
};

TypeMatch MatchTypes(const onnx::TypeProto& declared,
                     const onnx::TypeProto& truth);

// The type of an initializer.
onnx::TypeProto TypeOf(const onnx::TensorProto& tensor);
onnx::TypeProto TypeOf(const onnx::SparseTensorProto& tensor);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_CHECK_TYPE_MATCH_H_
