#include "check/type_match.h"

#include <algorithm>

namespace onnx_expose {
namespace {

using onnx::TypeProto;

TypeMatch MatchShapes(const onnx::TensorShapeProto& declared,
                      const onnx::TensorShapeProto& truth) {
  if (declared.dim_size() != truth.dim_size()) return TypeMatch::kShape;
  TypeMatch match = TypeMatch::kFits;
  for (int i = 0; i < declared.dim_size(); ++i) {
    const auto& a = declared.dim(i);
    const auto& b = truth.dim(i);
    if (!a.has_dim_value()) continue;
    if (b.has_dim_value() && a.dim_value() != b.dim_value()) {
      return TypeMatch::kShape;
    }
    if (!b.dim_param().empty()) match = TypeMatch::kSymbol;
  }
  return match;
}

// Dense and sparse tensors.
template <typename Tensor>
TypeMatch MatchTensors(const Tensor& declared, const Tensor& truth) {
  if (declared.elem_type() != 0 && truth.elem_type() != 0 &&
      declared.elem_type() != truth.elem_type()) {
    return TypeMatch::kType;
  }
  if (!declared.has_shape() || !truth.has_shape()) return TypeMatch::kFits;
  return MatchShapes(declared.shape(), truth.shape());
}

template <typename Tensor>
void SetType(const onnx::TensorProto& values,
             const google::protobuf::RepeatedField<int64_t>& dims,
             Tensor& type) {
  type.set_elem_type(values.data_type());
  auto& shape = *type.mutable_shape();
  for (const int64_t dim : dims) shape.add_dim()->set_dim_value(dim);
}

}  // namespace

TypeMatch MatchTypes(const TypeProto& declared, const TypeProto& truth) {
  if (declared.value_case() == TypeProto::VALUE_NOT_SET ||
      truth.value_case() == TypeProto::VALUE_NOT_SET) {
    return TypeMatch::kFits;
  }
  if (declared.value_case() != truth.value_case()) return TypeMatch::kType;
  switch (declared.value_case()) {
    case TypeProto::kTensorType:
      return MatchTensors(declared.tensor_type(), truth.tensor_type());
    case TypeProto::kSparseTensorType:
      return MatchTensors(declared.sparse_tensor_type(),
                          truth.sparse_tensor_type());
    case TypeProto::kSequenceType:
      return MatchTypes(declared.sequence_type().elem_type(),
                        truth.sequence_type().elem_type());
    case TypeProto::kOptionalType:
      return MatchTypes(declared.optional_type().elem_type(),
                        truth.optional_type().elem_type());
    case TypeProto::kMapType:
      if (declared.map_type().key_type() != truth.map_type().key_type()) {
        return TypeMatch::kType;
      }
      return MatchTypes(declared.map_type().value_type(),
                        truth.map_type().value_type());
    default:
      return TypeMatch::kFits;
  }
}

TypeProto TypeOf(const onnx::TensorProto& tensor) {
  TypeProto type;
  SetType(tensor, tensor.dims(), *type.mutable_tensor_type());
  return type;
}

TypeProto TypeOf(const onnx::SparseTensorProto& tensor) {
  TypeProto type;
  SetType(tensor.values(), tensor.dims(), *type.mutable_sparse_tensor_type());
  return type;
}

}  // namespace onnx_expose
