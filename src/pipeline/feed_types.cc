#include "pipeline/feed_types.h"

namespace onnx_expose {

onnx::TypeProto TypeOf(const Data& data, const onnx::TypeProto& known) {
  if (known.has_optional_type()) return known;
  onnx::TypeProto type;
  switch (data.kind) {
    case Data::Kind::kTensor: {
      auto& tensor = *type.mutable_tensor_type();
      tensor.set_elem_type(data.tensor.type);
      auto& shape = *tensor.mutable_shape();
      for (const int64_t size : data.tensor.shape) {
        shape.add_dim()->set_dim_value(size);
      }
      return type;
    }
    case Data::Kind::kSequence:
      if (known.value_case() == onnx::TypeProto::kSequenceType) return known;
      if (!data.parts.empty()) {
        auto& element = *type.mutable_sequence_type()->mutable_elem_type();
        element = TypeOf(data.parts.front(), {});
        // Each has a size of its own.
        if (element.has_tensor_type()) {
          element.mutable_tensor_type()->clear_shape();
        }
        return type;
      }
      type.mutable_sequence_type()
          ->mutable_elem_type()
          ->mutable_tensor_type()
          ->set_elem_type(data.element_type);
      return type;
    case Data::Kind::kMap: {
      auto& map = *type.mutable_map_type();
      map.set_key_type(data.parts.at(0).tensor.type);
      map.mutable_value_type()->mutable_tensor_type()->set_elem_type(
          data.parts.at(1).tensor.type);
      map.mutable_value_type()->mutable_tensor_type()->mutable_shape();
      return type;
    }
    case Data::Kind::kNone:
      break;
  }
  return known;
}

onnx::TypeProto InputType(const Data& data, const onnx::TypeProto& known) {
  onnx::TypeProto type = TypeOf(data, known);
  if (data.kind != Data::Kind::kTensor || !type.has_tensor_type()) return type;
  auto& shape = *type.mutable_tensor_type()->mutable_shape();
  const auto& other = known.tensor_type().shape();
  if (!known.tensor_type().has_shape() ||
      other.dim_size() != shape.dim_size()) {
    type.mutable_tensor_type()->clear_shape();
    return type;
  }
  for (int i = 0; i < shape.dim_size(); ++i) {
    auto& dim = *shape.mutable_dim(i);
    if (!other.dim(i).has_dim_value() ||
        other.dim(i).dim_value() != dim.dim_value()) {
      dim.clear_value();
    }
  }
  return type;
}

uint64_t SizeOf(const Data& data) {
  uint64_t size = data.tensor.bytes.size();
  for (const std::string& text : data.tensor.strings) {
    size += sizeof(text) + text.size();
  }
  for (const Data& part : data.parts) size += SizeOf(part);
  return size;
}

}  // namespace onnx_expose
