#include "check/tensor_data.h"

#include <algorithm>
#include <array>

#include "onnx_expose/element_types.h"

namespace onnx_expose {
namespace {

using onnx::TensorProto;

constexpr uint64_t kLongestVarint = 10;

enum class Coding { kBytes, kFixed, kVarint, kStrings };

struct DataField {
  int number;
  const char* name;
  Coding coding;
  uint64_t width;  // of a fixed-width number, in bytes
};

constexpr std::array<DataField, 7> kDataFields = {{
    {TensorProto::kFloatDataFieldNumber, "float_data", Coding::kFixed, 4},
    {TensorProto::kInt32DataFieldNumber, "int32_data", Coding::kVarint, 0},
    {TensorProto::kStringDataFieldNumber, "string_data", Coding::kStrings, 0},
    {TensorProto::kInt64DataFieldNumber, "int64_data", Coding::kVarint, 0},
    {TensorProto::kRawDataFieldNumber, "raw_data", Coding::kBytes, 0},
    {TensorProto::kDoubleDataFieldNumber, "double_data", Coding::kFixed, 8},
    {TensorProto::kUint64DataFieldNumber, "uint64_data", Coding::kVarint, 0},
}};

uint64_t InlineEntries(const TensorProto& tensor, int field) {
  const auto size = [&]() -> int {
    switch (field) {
      case TensorProto::kFloatDataFieldNumber:
        return tensor.float_data_size();
      case TensorProto::kInt32DataFieldNumber:
        return tensor.int32_data_size();
      case TensorProto::kStringDataFieldNumber:
        return tensor.string_data_size();
      case TensorProto::kInt64DataFieldNumber:
        return tensor.int64_data_size();
      case TensorProto::kDoubleDataFieldNumber:
        return tensor.double_data_size();
      case TensorProto::kUint64DataFieldNumber:
        return tensor.uint64_data_size();
      default:
        return 0;
    }
  };
  return field == TensorProto::kRawDataFieldNumber
             ? tensor.raw_data().size()
             : static_cast<uint64_t>(size());
}

// What left-out records of a field come to. Records have tags of one byte and
// lengths of one byte or more.
void AddPayload(const DataField& field, const Payload& payload,
                StoredField& stored) {
  const bool single = payload.content_offset != 0;
  switch (field.coding) {
    case Coding::kBytes:
      stored.least = stored.most = payload.content_size;
      return;
    case Coding::kFixed:
      if (single) {
        stored.least += payload.content_size / field.width;
        stored.most += payload.content_size / field.width;
      } else {
        // Between one number a record and all in one.
        stored.least += 1;
        stored.most += payload.size / field.width;
      }
      return;
    case Coding::kVarint:
      stored.least +=
          single ? (payload.content_size + kLongestVarint - 1) / kLongestVarint
                 : 1;
      stored.most += single ? payload.content_size : payload.size;
      return;
    case Coding::kStrings:
      stored.least += 1;
      stored.most += single ? 1 : payload.size / 2;
      return;
  }
}

}  // namespace

std::vector<StoredField> StoredFields(const Skeleton& model,
                                      const TensorProto& tensor) {
  const std::vector<const Payload*> payloads = PayloadsOf(model, tensor);
  std::vector<StoredField> found;
  for (const DataField& field : kDataFields) {
    StoredField stored;
    stored.number = field.number;
    stored.name = field.name;
    stored.least = stored.most = InlineEntries(tensor, field.number);
    for (const Payload* payload : payloads) {
      if (payload->field == field.number) AddPayload(field, *payload, stored);
    }
    if (stored.most > 0) found.push_back(stored);
  }
  return found;
}

std::optional<uint64_t> ElementCount(const TensorProto& tensor) {
  int64_t count = 1;
  for (const int64_t dim : tensor.dims()) {
    if (dim < 0 || __builtin_mul_overflow(count, dim, &count)) {
      return std::nullopt;
    }
  }
  return static_cast<uint64_t>(count);
}

int TypedField(int element_type) {
  switch (element_type) {
    case TensorProto::FLOAT:
    case TensorProto::COMPLEX64:
      return TensorProto::kFloatDataFieldNumber;
    case TensorProto::DOUBLE:
    case TensorProto::COMPLEX128:
      return TensorProto::kDoubleDataFieldNumber;
    case TensorProto::INT64:
      return TensorProto::kInt64DataFieldNumber;
    case TensorProto::UINT32:
    case TensorProto::UINT64:
      return TensorProto::kUint64DataFieldNumber;
    case TensorProto::STRING:
      return TensorProto::kStringDataFieldNumber;
    default:
      return TensorProto::kInt32DataFieldNumber;
  }
}

const char* TypedFieldName(int element_type) {
  const int number = TypedField(element_type);
  return std::find_if(kDataFields.begin(), kDataFields.end(),
                      [&](const DataField& f) { return f.number == number; })
      ->name;
}

uint64_t TypedEntries(int element_type, uint64_t count) {
  switch (element_type) {
    case TensorProto::COMPLEX64:
    case TensorProto::COMPLEX128:
      return count * 2;
    default:
      break;
  }
  // Types of four and two bits share a byte, and a byte takes an entry.
  const int bits = ElementBits(element_type);
  if (bits != 4 && bits != 2) return count;
  const uint64_t in_a_byte = 8 / static_cast<uint64_t>(bits);
  return count / in_a_byte + (count % in_a_byte != 0 ? 1 : 0);
}

}  // namespace onnx_expose
