#include <fmt/format.h>
#include <onnx/onnx-data.pb.h>

#include <cstring>
#include <limits>
#include <optional>

#include "onnx_expose/element_types.h"
#include "onnx_expose/tensor_files.h"
#include "tensor/data_text.h"
#include "tensor/file_bytes.h"
#include "tensor/format_error.h"
#include "tensor/pb.h"
#include "tensor/tensor_proto.h"

namespace onnx_expose {
namespace {

using onnx::MapProto;
using onnx::OptionalProto;
using onnx::SequenceProto;
using onnx::TensorProto;

Data TensorData(TensorProto& proto) {
  Data data;
  data.tensor = FromTensorProto(proto);
  return data;
}

// One tensor of scalars, or as many tensors of one element.
Tensor MapValues(SequenceProto& proto, int64_t count) {
  if (proto.tensor_values_size() == 1 && count != 1) {
    Tensor all = FromTensorProto(*proto.mutable_tensor_values(0));
    if (all.shape != std::vector<int64_t>{count}) {
      throw FormatError("a map has another number of keys than of values");
    }
    return all;
  }
  if (proto.tensor_values_size() != count) {
    throw FormatError("a map has another number of keys than of values");
  }
  Tensor joined;
  joined.type = count == 0 ? TensorProto::FLOAT : 0;
  joined.shape = {count};
  std::vector<std::byte> bytes;
  for (TensorProto& value : *proto.mutable_tensor_values()) {
    Tensor one = FromTensorProto(value);
    if (joined.type == 0) joined.type = one.type;
    const int bits = ElementBits(one.type);
    if (ElementCount(one.shape) != 1 || one.type != joined.type ||
        (bits > 0 && bits < 8)) {
      throw FormatError("a map's values are no numbers of one type");
    }
    bytes.insert(bytes.end(), one.bytes.begin(), one.bytes.end());
    for (std::string& text : one.strings) {
      joined.strings.push_back(std::move(text));
    }
  }
  if (joined.type == TensorProto::STRING) return joined;
  return MakeTensor(joined.type, joined.shape, std::move(bytes));
}

Tensor MapKeys(MapProto& proto) {
  const int type = proto.key_type();
  if (type == TensorProto::STRING) {
    Tensor keys;
    keys.type = type;
    keys.shape = {proto.string_keys_size()};
    for (std::string& key : *proto.mutable_string_keys()) {
      keys.strings.push_back(std::move(key));
    }
    return keys;
  }
  const int bits = ElementBits(type);
  if (bits < 8 || bits > 64) {
    throw FormatError("a map's keys are neither integers nor strings");
  }
  const auto size = static_cast<size_t>(bits) / 8;
  std::vector<std::byte> bytes;
  for (const int64_t key : proto.keys()) {
    const auto* from = reinterpret_cast<const std::byte*>(&key);
    bytes.insert(bytes.end(), from, from + size);
  }
  return MakeTensor(type, {proto.keys_size()}, std::move(bytes));
}

Data MapData(MapProto& proto) {
  Data map;
  map.kind = Data::Kind::kMap;
  map.parts.resize(2);
  map.parts[0].tensor = MapKeys(proto);
  map.parts[1].tensor =
      MapValues(*proto.mutable_values(), map.parts[0].tensor.shape[0]);
  return map;
}

Data SequenceData(SequenceProto& proto) {
  if (proto.sparse_tensor_values_size() + proto.sequence_values_size() +
          proto.optional_values_size() >
      0) {
    throw FormatError(
        "holds a sequence of something else than tensors and maps");
  }
  Data sequence;
  sequence.kind = Data::Kind::kSequence;
  for (TensorProto& tensor : *proto.mutable_tensor_values()) {
    sequence.parts.push_back(TensorData(tensor));
    sequence.element_type = tensor.data_type();
  }
  for (MapProto& map : *proto.mutable_map_values()) {
    sequence.parts.push_back(MapData(map));
  }
  return sequence;
}

Data OptionalData(OptionalProto& proto) {
  if (proto.has_tensor_value())
    return TensorData(*proto.mutable_tensor_value());
  if (proto.has_sequence_value()) {
    return SequenceData(*proto.mutable_sequence_value());
  }
  if (proto.has_map_value()) return MapData(*proto.mutable_map_value());
  if (proto.elem_type() != OptionalProto::UNDEFINED &&
      (proto.has_sparse_tensor_value() || proto.has_optional_value())) {
    throw FormatError("holds an optional that is no tensor, sequence or map");
  }
  Data none;
  none.kind = Data::Kind::kNone;
  return none;
}

template <typename Proto>
std::optional<Data> Parse(std::span<const std::byte> bytes,
                          Data (*convert)(Proto&), std::string* name) {
  Proto proto;
  if (!proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return std::nullopt;
  }
  if (name != nullptr) *name = proto.name();
  return convert(proto);
}

std::optional<Data> ParseAs(std::span<const std::byte> bytes,
                            const std::string& kind, std::string* name) {
  if (kind.starts_with("seq(")) {
    auto data = Parse(bytes, SequenceData, name);
    if (data && data->parts.empty()) data->element_type = ElementAt(kind, 4);
    return data;
  }
  if (kind.starts_with("optional(")) return Parse(bytes, OptionalData, name);
  if (kind.starts_with("map(")) return Parse(bytes, MapData, name);
  if (!kind.empty()) return Parse(bytes, TensorData, name);
  try {
    if (auto tensor = Parse(bytes, TensorData, name)) return tensor;
  } catch (const FormatError&) {
    if (auto sequence = Parse(bytes, SequenceData, name)) {
      if (!sequence->parts.empty()) return sequence;
    }
    throw;
  }
  return Parse(bytes, SequenceData, name);
}

}  // namespace

Data ParsePb(std::span<const std::byte> bytes, const std::string& kind,
             std::string* name) {
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max())) {
    throw FormatError("has more than 2 GiB, which protobuf can't read");
  }
  auto data = ParseAs(bytes, kind, name);
  if (!data) {
    throw FormatError(fmt::format(
        "is no {}", kind.starts_with("seq(")        ? "SequenceProto"
                    : kind.starts_with("optional(") ? "OptionalProto"
                    : kind.starts_with("map(")      ? "MapProto"
                                                    : "TensorProto"));
  }
  return *std::move(data);
}

Data ReadPb(const std::string& path, const std::string& kind,
            std::string* name) {
  const FileBytes file = MapFile(path);
  return InFile(path, "", [&] { return ParsePb(file.bytes, kind, name); });
}

}  // namespace onnx_expose
