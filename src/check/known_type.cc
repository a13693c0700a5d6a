#include "check/known_type.h"

#include "onnx_expose/element_types.h"

namespace onnx_expose {
namespace {

using onnx::TypeProto;

constexpr int kHighestRank = 64;

template <typename Tensor>
bool TameTensor(Tensor& tensor, const SymbolSet& symbols) {
  if (!IsElementType(tensor.elem_type())) return false;
  if (tensor.shape().dim_size() > kHighestRank) tensor.clear_shape();
  if (!tensor.has_shape()) return true;
  for (auto& dim : *tensor.mutable_shape()->mutable_dim()) {
    dim.clear_denotation();
    if ((dim.has_dim_value() && dim.dim_value() < 0) ||
        (dim.has_dim_param() && symbols.count(dim.dim_param()) == 0)) {
      dim.clear_value();
    }
  }
  return true;
}

template <typename Tensor>
void FillInTensor(Tensor& tensor, const Tensor& declared) {
  if (!declared.has_shape()) return;
  const bool known = tensor.has_shape();
  auto& shape = *tensor.mutable_shape();
  if (!known) {
    for (const auto& dim : declared.shape().dim()) {
      auto* added = shape.add_dim();
      if (dim.has_dim_value()) added->set_dim_value(dim.dim_value());
    }
    return;
  }
  for (int i = 0; i < shape.dim_size() && i < declared.shape().dim_size();
       ++i) {
    auto& dim = *shape.mutable_dim(i);
    const auto& other = declared.shape().dim(i);
    if (dim.value_case() == onnx::TensorShapeProto::Dimension::VALUE_NOT_SET &&
        other.has_dim_value()) {
      dim.set_dim_value(other.dim_value());
    }
  }
}

}  // namespace

void AddSymbols(const TypeProto& type, SymbolSet& symbols) {
  // Longer ones would be copied to every value behind them.
  constexpr size_t kLongestSymbol = 1024;
  const auto add = [&](const onnx::TensorShapeProto& shape) {
    for (const auto& dim : shape.dim()) {
      if (!dim.dim_param().empty() &&
          dim.dim_param().size() <= kLongestSymbol) {
        symbols.insert(dim.dim_param());
      }
    }
  };
  switch (type.value_case()) {
    case TypeProto::kTensorType:
      return add(type.tensor_type().shape());
    case TypeProto::kSparseTensorType:
      return add(type.sparse_tensor_type().shape());
    case TypeProto::kSequenceType:
      return AddSymbols(type.sequence_type().elem_type(), symbols);
    case TypeProto::kOptionalType:
      return AddSymbols(type.optional_type().elem_type(), symbols);
    default:
      return;
  }
}

bool Tame(TypeProto& type, const SymbolSet& symbols) {
  type.clear_denotation();
  switch (type.value_case()) {
    case TypeProto::kTensorType:
      return TameTensor(*type.mutable_tensor_type(), symbols);
    case TypeProto::kSparseTensorType:
      return TameTensor(*type.mutable_sparse_tensor_type(), symbols);
    case TypeProto::kSequenceType:
      return Tame(*type.mutable_sequence_type()->mutable_elem_type(), symbols);
    case TypeProto::kOptionalType:
      return Tame(*type.mutable_optional_type()->mutable_elem_type(), symbols);
    case TypeProto::kMapType:
      return IsElementType(type.map_type().key_type()) &&
             Tame(*type.mutable_map_type()->mutable_value_type(), symbols);
    default:
      return false;
  }
}

void FillIn(TypeProto& type, const TypeProto& declared) {
  if (type.value_case() != declared.value_case()) return;
  switch (type.value_case()) {
    case TypeProto::kTensorType:
      return FillInTensor(*type.mutable_tensor_type(), declared.tensor_type());
    case TypeProto::kSparseTensorType:
      return FillInTensor(*type.mutable_sparse_tensor_type(),
                          declared.sparse_tensor_type());
    case TypeProto::kSequenceType:
      return FillIn(*type.mutable_sequence_type()->mutable_elem_type(),
                    declared.sequence_type().elem_type());
    case TypeProto::kOptionalType:
      return FillIn(*type.mutable_optional_type()->mutable_elem_type(),
                    declared.optional_type().elem_type());
    default:
      return;
  }
}

}  // namespace onnx_expose
