#include "tensor/pb.h"

#include <fmt/format.h>
#include <onnx/onnx-data.pb.h>

#include <cstring>
#include <limits>

#include "onnx_expose/error.h"
#include "support/text.h"
#include "tensor/numbers.h"

namespace onnx_expose {
namespace {

using onnx::MapProto;
using onnx::OptionalProto;
using onnx::SequenceProto;
using onnx::TensorProto;

constexpr uint64_t kLargestMessage = std::numeric_limits<int>::max();

uint64_t SizeOf(const Data& data) {
  uint64_t size = data.tensor.bytes.size();
  for (const std::string& text : data.tensor.strings) size += text.size();
  for (const Data& part : data.parts) size += SizeOf(part);
  return size;
}

[[noreturn]] void RefuseSize(const std::string& name, uint64_t size) {
  throw Error(ExitCode::kOutput, "",
              {fmt::format("{} is too large for a .pb file: {}", Quoted(name),
                           ByteText(size)),
               "protobuf can't read more than 2 GiB", "write it as npy"});
}

// All but raw_data.
void FillHead(const Tensor& tensor, TensorProto& proto) {
  for (const int64_t dim : tensor.shape) proto.add_dims(dim);
  proto.set_data_type(tensor.type);
  for (const std::string& text : tensor.strings) proto.add_string_data(text);
}

void Fill(const Tensor& tensor, TensorProto& proto) {
  FillHead(tensor, proto);
  if (tensor.type == TensorProto::STRING) return;
  proto.set_raw_data(tensor.bytes.data(), tensor.bytes.size());
}

Tensor ScalarAt(const Tensor& tensor, size_t i) {
  Tensor scalar;
  scalar.type = tensor.type;
  if (tensor.type == TensorProto::STRING) {
    scalar.strings = {tensor.strings[i]};
  } else {
    const uint64_t size = DataBytes(tensor.type, 1);
    scalar.bytes = tensor.bytes.subspan(i * size, size);
  }
  return scalar;
}

void Fill(const Data& map, MapProto& proto) {
  const Tensor& keys = map.parts[0].tensor;
  const Tensor& values = map.parts[1].tensor;
  proto.set_key_type(keys.type);
  proto.mutable_values()->set_elem_type(SequenceProto::TENSOR);
  for (size_t i = 0; i < ElementCount(keys.shape); ++i) {
    if (keys.type == TensorProto::STRING) {
      proto.add_string_keys(keys.strings[i]);
    } else if (keys.type == TensorProto::INT64) {
      int64_t key = 0;
      std::memcpy(&key, keys.bytes.data() + i * sizeof(key), sizeof(key));
      proto.add_keys(key);
    } else {
      double key = 0;
      ToDoubles(keys, i, 1, &key);
      proto.add_keys(static_cast<int64_t>(key));
    }
    Fill(ScalarAt(values, i), *proto.mutable_values()->add_tensor_values());
  }
}

void Fill(const Data& sequence, SequenceProto& proto) {
  proto.set_elem_type(SequenceProto::TENSOR);
  for (const Data& part : sequence.parts) {
    if (part.kind == Data::Kind::kMap) {
      proto.set_elem_type(SequenceProto::MAP);
      Fill(part, *proto.add_map_values());
    } else {
      Fill(part.tensor, *proto.add_tensor_values());
    }
  }
}

template <typename Proto>
void WriteWhole(const Proto& proto, const std::string& name, ByteSink& sink) {
  const uint64_t size = proto.ByteSizeLong();
  if (size > kLargestMessage) RefuseSize(name, size);
  sink.Write(proto.SerializeAsString());
}

std::string Varint(uint64_t number) {
  std::string bytes;
  for (; number >= 0x80; number >>= 7) {
    bytes.push_back(static_cast<char>(number | 0x80));
  }
  bytes.push_back(static_cast<char>(number));
  return bytes;
}

// raw_data has the highest number of the fields there are: it can follow the
// others straight from memory.
void WriteTensor(const Tensor& tensor, const std::string& name,
                 ByteSink& sink) {
  TensorProto head;
  FillHead(tensor, head);
  head.set_name(name);
  if (tensor.type == TensorProto::STRING) return WriteWhole(head, name, sink);
  constexpr int kLengthDelimited = 2;
  const std::string prefix =
      Varint(TensorProto::kRawDataFieldNumber << 3 | kLengthDelimited) +
      Varint(tensor.bytes.size());
  const uint64_t size =
      head.ByteSizeLong() + prefix.size() + tensor.bytes.size();
  if (size > kLargestMessage) RefuseSize(name, size);
  sink.Write(head.SerializeAsString() + prefix);
  sink.Write(tensor.bytes);
}

}  // namespace

void WritePb(const Data& data, const std::string& name, ByteSink& sink) {
  // Before memory is filled with it.
  if (SizeOf(data) > kLargestMessage) RefuseSize(name, SizeOf(data));
  switch (data.kind) {
    case Data::Kind::kTensor:
      return WriteTensor(data.tensor, name, sink);
    case Data::Kind::kSequence: {
      SequenceProto proto;
      proto.set_name(name);
      Fill(data, proto);
      return WriteWhole(proto, name, sink);
    }
    case Data::Kind::kMap: {
      MapProto proto;
      proto.set_name(name);
      Fill(data, proto);
      return WriteWhole(proto, name, sink);
    }
    case Data::Kind::kNone: {
      OptionalProto proto;
      proto.set_name(name);
      return WriteWhole(proto, name, sink);
    }
  }
}

}  // namespace onnx_expose
