#include "tensor/tensor_proto.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <utility>

#include "onnx_expose/element_types.h"
#include "support/text.h"
#include "tensor/format_error.h"
#include "tensor/packing.h"

namespace onnx_expose {
namespace {

using onnx::TensorProto;

std::string TypeOf(const TensorProto& proto) {
  return fmt::format("{}[{}]", ElementName(proto.data_type()),
                     Joined(proto.dims(), ","));
}

void CheckNumber(const TensorProto& proto, uint64_t there, uint64_t needed,
                 std::string_view what) {
  if (there == needed) return;
  throw FormatError(fmt::format("{} takes {} {}, {} are there", TypeOf(proto),
                                needed, what, there));
}

Tensor WithRawData(TensorProto& proto, std::vector<int64_t> shape,
                   uint64_t count) {
  CheckNumber(proto, proto.raw_data().size(),
              DataBytes(proto.data_type(), count), "bytes");
  auto owner =
      std::make_shared<const std::string>(std::move(*proto.mutable_raw_data()));
  Tensor tensor;
  tensor.type = proto.data_type();
  tensor.shape = std::move(shape);
  tensor.bytes = std::as_bytes(std::span(*owner));
  tensor.owner = std::move(owner);
  return tensor;
}

// Each number as the lowest bytes of an element.
template <typename Field>
std::vector<std::byte> Elements(const TensorProto& proto, const Field& field,
                                uint64_t count, uint64_t size) {
  CheckNumber(proto, static_cast<uint64_t>(field.size()), count, "numbers");
  std::vector<std::byte> bytes(count * size);
  uint64_t at = 0;
  for (const auto number : field) {
    std::memcpy(&bytes[at], &number, size);
    at += size;
  }
  return bytes;
}

std::vector<std::byte> FromInt32Data(const TensorProto& proto, uint64_t count) {
  const int type = proto.data_type();
  const int bits = ElementBits(type);
  // 4 and 2 bits are packed here as well, 6 are not.
  if (bits == 6) {
    return Pack(type, Elements(proto, proto.int32_data(), count, 1));
  }
  const uint64_t numbers = bits < 8 ? DataBytes(type, count) : count;
  return Elements(proto, proto.int32_data(), numbers,
                  static_cast<uint64_t>(std::max(8, bits)) / 8);
}

std::vector<std::byte> FromTypedData(const TensorProto& proto, uint64_t count) {
  // A count that doesn't fit is none that could be there.
  if (count > uint64_t{1} << 32) CheckNumber(proto, 0, count, "numbers");
  switch (proto.data_type()) {
    case TensorProto::FLOAT:
      return Elements(proto, proto.float_data(), count, 4);
    case TensorProto::COMPLEX64:
      return Elements(proto, proto.float_data(), 2 * count, 4);
    case TensorProto::DOUBLE:
      return Elements(proto, proto.double_data(), count, 8);
    case TensorProto::COMPLEX128:
      return Elements(proto, proto.double_data(), 2 * count, 8);
    case TensorProto::INT64:
      return Elements(proto, proto.int64_data(), count, 8);
    case TensorProto::UINT64:
      return Elements(proto, proto.uint64_data(), count, 8);
    case TensorProto::UINT32:
      return Elements(proto, proto.uint64_data(), count, 4);
    default:
      return FromInt32Data(proto, count);
  }
}

}  // namespace

Tensor FromTensorProto(TensorProto& proto) {
  const int type = proto.data_type();
  if (!IsElementType(type)) {
    throw FormatError(fmt::format("a tensor has the unknown element type {}",
                                  proto.data_type()));
  }
  if (proto.data_location() == TensorProto::EXTERNAL) {
    throw FormatError("the tensor's data lie in another file",
                      "save it with its data inside");
  }
  if (proto.has_segment()) throw FormatError("holds a segment of a tensor");
  std::vector<int64_t> shape(proto.dims().begin(), proto.dims().end());
  for (const int64_t dim : shape) {
    if (dim < 0) throw FormatError(fmt::format("a dim is {}", dim));
  }
  const uint64_t count = ElementCount(shape);
  if (type == TensorProto::STRING) {
    CheckNumber(proto, static_cast<uint64_t>(proto.string_data_size()), count,
                "strings");
    Tensor tensor;
    tensor.type = type;
    tensor.shape = std::move(shape);
    for (std::string& text : *proto.mutable_string_data()) {
      tensor.strings.push_back(std::move(text));
    }
    return tensor;
  }
  if (proto.has_raw_data()) return WithRawData(proto, std::move(shape), count);
  return MakeTensor(type, std::move(shape), FromTypedData(proto, count));
}

}  // namespace onnx_expose
