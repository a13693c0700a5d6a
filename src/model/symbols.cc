#include "model/symbols.h"

#include "onnx_expose/value_types.h"

namespace onnx_expose {
namespace {

using onnx::TensorShapeProto;
using onnx::TypeProto;

// "-1", "*", "?" and "" stand for an unknown size in models of converters.
bool IsSymbol(const std::string& text) {
  return !text.empty() && text[0] != '*' && text[0] != '?' && text[0] != '-';
}

bool ShapesDiffer(const TensorShapeProto& a, const TensorShapeProto& b) {
  if (a.dim_size() != b.dim_size()) return true;
  for (int i = 0; i < a.dim_size(); ++i) {
    if (a.dim(i).has_dim_value() && b.dim(i).has_dim_value() &&
        a.dim(i).dim_value() != b.dim(i).dim_value()) {
      return true;
    }
  }
  return false;
}

template <typename Tensor>
bool TensorsDiffer(const Tensor& a, const Tensor& b) {
  if (a.elem_type() != 0 && b.elem_type() != 0 &&
      a.elem_type() != b.elem_type()) {
    return true;
  }
  return a.has_shape() && b.has_shape() && ShapesDiffer(a.shape(), b.shape());
}

template <typename Tensor>
void RefineTensor(Tensor& type, const Tensor& more) {
  if (type.elem_type() == 0 && more.elem_type() != 0) {
    type.set_elem_type(more.elem_type());
  }
  if (!more.has_shape()) return;
  if (!type.has_shape()) {
    *type.mutable_shape() = more.shape();
    return;
  }
  for (int i = 0; i < type.shape().dim_size(); ++i) {
    auto& dim = *type.mutable_shape()->mutable_dim(i);
    const auto& other = more.shape().dim(i);
    if (dim.has_dim_value()) continue;
    if (other.has_dim_value() || !dim.has_dim_param()) dim = other;
  }
}

template <typename Tensor>
void MeetTensor(Tensor& type, const Tensor& other) {
  if (!type.has_shape()) return;
  if (!other.has_shape() ||
      type.shape().dim_size() != other.shape().dim_size()) {
    type.clear_shape();
    return;
  }
  for (int i = 0; i < type.shape().dim_size(); ++i) {
    auto& dim = *type.mutable_shape()->mutable_dim(i);
    const auto& theirs = other.shape().dim(i);
    if (dim.dim_value() != theirs.dim_value() ||
        dim.dim_param() != theirs.dim_param()) {
      dim.clear_value();
    }
  }
}

}  // namespace

void Meet(TypeProto& type, const TypeProto& other) {
  if (type.value_case() != other.value_case()) {
    type.Clear();
    return;
  }
  switch (type.value_case()) {
    case TypeProto::kTensorType:
      if (type.tensor_type().elem_type() != other.tensor_type().elem_type()) {
        type.Clear();
      } else {
        MeetTensor(*type.mutable_tensor_type(), other.tensor_type());
      }
      break;
    case TypeProto::kSequenceType:
      Meet(*type.mutable_sequence_type()->mutable_elem_type(),
           other.sequence_type().elem_type());
      break;
    case TypeProto::kOptionalType:
      Meet(*type.mutable_optional_type()->mutable_elem_type(),
           other.optional_type().elem_type());
      break;
    default:
      if (type.SerializeAsString() != other.SerializeAsString()) type.Clear();
  }
}

void CollectSymbols(const TypeProto& type, Symbols& symbols) {
  TypeProto copy = type;
  ForEachShape(copy, [&](const TensorShapeProto& shape) {
    for (const auto& dim : shape.dim()) {
      if (IsSymbol(dim.dim_param())) symbols.insert(dim.dim_param());
    }
  });
}

void CollectInputSymbols(const TypeProto& type, Symbols& symbols) {
  if (type.has_sequence_type() || type.has_map_type()) return;
  if (type.has_optional_type()) {
    CollectInputSymbols(type.optional_type().elem_type(), symbols);
  } else {
    CollectSymbols(type, symbols);
  }
}

void ForgetSymbols(TypeProto& type, const Symbols& known) {
  ForEachShape(type, [&](TensorShapeProto& shape) {
    for (auto& dim : *shape.mutable_dim()) {
      const bool negative = dim.has_dim_value() && dim.dim_value() < 0;
      const bool foreign =
          dim.has_dim_param() && known.count(dim.dim_param()) == 0;
      if (negative || foreign) dim.clear_value();
    }
  });
}

bool Contradicts(const TypeProto& a, const TypeProto& b) {
  if (a.value_case() == TypeProto::VALUE_NOT_SET ||
      b.value_case() == TypeProto::VALUE_NOT_SET) {
    return false;
  }
  if (a.value_case() != b.value_case()) return true;
  switch (a.value_case()) {
    case TypeProto::kTensorType:
      return TensorsDiffer(a.tensor_type(), b.tensor_type());
    case TypeProto::kSparseTensorType:
      return TensorsDiffer(a.sparse_tensor_type(), b.sparse_tensor_type());
    case TypeProto::kSequenceType:
      return Contradicts(a.sequence_type().elem_type(),
                         b.sequence_type().elem_type());
    case TypeProto::kOptionalType:
      return Contradicts(a.optional_type().elem_type(),
                         b.optional_type().elem_type());
    case TypeProto::kMapType:
      return (a.map_type().key_type() != 0 && b.map_type().key_type() != 0 &&
              a.map_type().key_type() != b.map_type().key_type()) ||
             Contradicts(a.map_type().value_type(), b.map_type().value_type());
    default:
      return false;
  }
}

void Refine(TypeProto& type, const TypeProto& more) {
  if (type.value_case() != more.value_case()) {
    if (type.value_case() == TypeProto::VALUE_NOT_SET) type = more;
    return;
  }
  switch (type.value_case()) {
    case TypeProto::kTensorType:
      RefineTensor(*type.mutable_tensor_type(), more.tensor_type());
      break;
    case TypeProto::kSparseTensorType:
      RefineTensor(*type.mutable_sparse_tensor_type(),
                   more.sparse_tensor_type());
      break;
    case TypeProto::kSequenceType:
      Refine(*type.mutable_sequence_type()->mutable_elem_type(),
             more.sequence_type().elem_type());
      break;
    case TypeProto::kOptionalType:
      Refine(*type.mutable_optional_type()->mutable_elem_type(),
             more.optional_type().elem_type());
      break;
    case TypeProto::kMapType:
      Refine(*type.mutable_map_type()->mutable_value_type(),
             more.map_type().value_type());
      break;
    default:
      break;
  }
}

}  // namespace onnx_expose
