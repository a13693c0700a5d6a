#ifndef ONNX_EXPOSE_MODEL_SYMBOLS_H_
#define ONNX_EXPOSE_MODEL_SYMBOLS_H_

#include <onnx/onnx_pb.h>

#include <set>
#include <string>

namespace onnx_expose {

using Symbols = std::set<std::string>;

// Adds the symbols (dim_param) of a type, all the way down; not those that
// mean "unknown" in the wild: "", "?", "*", "-1" and the like.
void CollectSymbols(const onnx::TypeProto& type, Symbols& symbols);

// The same of a graph input, but only symbols that stand for one size in a
// run: the elements of a sequence or map may each have their own.
void CollectInputSymbols(const onnx::TypeProto& type, Symbols& symbols);

// Makes unknown every dim whose symbol is not among `known`, and negative ones
// (design 1.3 rule 3).
void ForgetSymbols(onnx::TypeProto& type, const Symbols& known);

// Whether two types can't describe one value: other kind or element type,
// other rank or another fixed dim. What one of them leaves open fits anything.
bool Contradicts(const onnx::TypeProto& a, const onnx::TypeProto& b);

// Fills in what `type` leaves open from `more`, which doesn't contradict it.
void Refine(onnx::TypeProto& type, const onnx::TypeProto& more);

// Leaves of `type` only what `other` says as well.
void Meet(onnx::TypeProto& type, const onnx::TypeProto& other);

// Calls visit(shape) for each tensor shape in the type.
template <typename Visit>
void ForEachShape(onnx::TypeProto& type, const Visit& visit) {
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType:
      if (type.tensor_type().has_shape()) {
        visit(*type.mutable_tensor_type()->mutable_shape());
      }
      break;
    case onnx::TypeProto::kSparseTensorType:
      if (type.sparse_tensor_type().has_shape()) {
        visit(*type.mutable_sparse_tensor_type()->mutable_shape());
      }
      break;
    case onnx::TypeProto::kSequenceType:
      ForEachShape(*type.mutable_sequence_type()->mutable_elem_type(), visit);
      break;
    case onnx::TypeProto::kOptionalType:
      ForEachShape(*type.mutable_optional_type()->mutable_elem_type(), visit);
      break;
    case onnx::TypeProto::kMapType:
      ForEachShape(*type.mutable_map_type()->mutable_value_type(), visit);
      break;
    default:
      break;
  }
}

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_SYMBOLS_H_
