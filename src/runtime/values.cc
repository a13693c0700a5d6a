#include "runtime/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "onnx_expose/element_types.h"
#include "onnx_expose/error.h"
#include "runtime/empty_sequence.h"

namespace onnx_expose {
namespace {

// ONNX's numbers of the types that both number differently: TensorProto has
// float8e8m0 before the 2-bit integers, ONNX Runtime behind them.
constexpr int kSameUpTo = 23;
constexpr std::pair<int, int> kDifferent[] = {{24, 26}, {25, 24}, {26, 25}};

Error Refuse(const std::string& what) {
  return Error(ExitCode::kRuntime, "", {what, "", ""});
}

Ort::MemoryInfo CpuMemory() {
  return Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
}

// Bytes; of complex128 each part is a number.
constexpr uintptr_t kWidestNumber = 8;

Ort::Value TensorToRuntime(const Tensor& tensor) {
  const auto type =
      static_cast<ONNXTensorElementDataType>(ToRuntimeType(tensor.type));
  const int64_t* dims = tensor.shape.data();
  const size_t rank = tensor.shape.size();
  if (type == ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED) {
    throw Refuse(fmt::format("ONNX Runtime has no element type {}",
                             ElementName(tensor.type)));
  }
  if (type != ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING) {
    // ONNX Runtime doesn't write to its inputs, and reads numbers, not bytes.
    auto* bytes = const_cast<std::byte*>(tensor.bytes.data());
    const auto address = reinterpret_cast<uintptr_t>(bytes);
    if (address % kWidestNumber == 0) {
      return Ort::Value::CreateTensor(CpuMemory(), bytes, tensor.bytes.size(),
                                      dims, rank, type);
    }
    Ort::AllocatorWithDefaultOptions allocator;
    Ort::Value value = Ort::Value::CreateTensor(allocator, dims, rank, type);
    std::copy(tensor.bytes.begin(), tensor.bytes.end(),
              value.GetTensorMutableData<std::byte>());
    return value;
  }
  Ort::AllocatorWithDefaultOptions allocator;
  Ort::Value value = Ort::Value::CreateTensor(allocator, dims, rank, type);
  for (size_t i = 0; i < tensor.strings.size(); ++i) {
    // Not FillStringTensor: that ends at a NUL.
    const std::string& text = tensor.strings[i];
    char* into = value.GetResizedStringTensorElementBuffer(i, text.size());
    std::copy(text.begin(), text.end(), into);
  }
  return value;
}

std::vector<std::string> StringsOf(const Ort::Value& value, size_t count) {
  std::vector<std::string> result(count);
  if (count == 0) return result;
  std::string all(value.GetStringTensorDataLength(), '\0');
  std::vector<size_t> offsets(count);
  value.GetStringTensorContent(all.data(), all.size(), offsets.data(), count);
  for (size_t i = 0; i < count; ++i) {
    const size_t end = i + 1 < count ? offsets[i + 1] : all.size();
    result[i] = all.substr(offsets[i], end - offsets[i]);
  }
  return result;
}

Data TensorFromRuntime(Ort::Value value) {
  const Ort::TensorTypeAndShapeInfo info = value.GetTensorTypeAndShapeInfo();
  Data data;
  data.tensor.type = FromRuntimeType(info.GetElementType());
  data.tensor.shape = info.GetShape();
  const uint64_t count = info.GetElementCount();
  if (info.GetElementType() == ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING) {
    data.tensor.strings = StringsOf(value, count);
    return data;
  }
  const auto* bytes = static_cast<const std::byte*>(value.GetTensorRawData());
  data.tensor.bytes = {bytes, DataBytes(data.tensor.type, count)};
  data.tensor.owner = std::make_shared<Ort::Value>(std::move(value));
  return data;
}

int SequenceElementType(const Ort::Value& value) {
  const Ort::TypeInfo info = value.GetTypeInfo();
  const auto sequence = info.GetSequenceTypeInfo();
  const Ort::TypeInfo element = sequence.GetSequenceElementType();
  if (element.GetONNXType() != ONNX_TYPE_TENSOR) return 0;
  return FromRuntimeType(element.GetTensorTypeAndShapeInfo().GetElementType());
}

}  // namespace

int ToRuntimeType(int element_type) {
  for (const auto& [ours, theirs] : kDifferent) {
    if (element_type == ours) return theirs;
  }
  return element_type <= kSameUpTo ? element_type : 0;
}

int FromRuntimeType(int runtime_type) {
  for (const auto& [ours, theirs] : kDifferent) {
    if (runtime_type == theirs) return ours;
  }
  return runtime_type <= kSameUpTo ? runtime_type : 0;
}

Ort::Value ToRuntime(const Ort::Env& env, const InputInfo& wanted,
                     const Data& data) {
  switch (data.kind) {
    case Data::Kind::kTensor:
      return TensorToRuntime(data.tensor);
    case Data::Kind::kMap:
      return Ort::Value::CreateMap(TensorToRuntime(data.parts.at(0).tensor),
                                   TensorToRuntime(data.parts.at(1).tensor));
    case Data::Kind::kSequence:
    case Data::Kind::kNone:
      break;
  }
  if (data.parts.empty()) {
    return EmptySequence(
        env, data.element_type != 0 ? data.element_type : wanted.element_type);
  }
  std::vector<Ort::Value> parts;
  for (const Data& part : data.parts) {
    parts.push_back(ToRuntime(env, wanted, part));
  }
  return Ort::Value::CreateSequence(parts);
}

Data FromRuntime(Ort::Value value) {
  Data data;
  // An optional that is none.
  if (static_cast<const OrtValue*>(value) == nullptr || !value.HasValue()) {
    data.kind = Data::Kind::kNone;
    return data;
  }
  const ONNXType type = value.GetTypeInfo().GetONNXType();
  if (type == ONNX_TYPE_TENSOR) return TensorFromRuntime(std::move(value));
  if (type != ONNX_TYPE_SEQUENCE && type != ONNX_TYPE_MAP) {
    throw Refuse("sparse tensors and opaque types can't be read");
  }
  const bool is_map = type == ONNX_TYPE_MAP;
  data.kind = is_map ? Data::Kind::kMap : Data::Kind::kSequence;
  if (!is_map) data.element_type = SequenceElementType(value);
  const size_t count = is_map ? 2 : value.GetCount();
  Ort::AllocatorWithDefaultOptions allocator;
  for (size_t i = 0; i < count; ++i) {
    data.parts.push_back(
        FromRuntime(value.GetValue(static_cast<int>(i), allocator)));
  }
  return data;
}

}  // namespace onnx_expose
