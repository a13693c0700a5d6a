#include "loader/payload_rules.h"

#include <onnx/onnx_pb.h>

#include <string>

namespace onnx_expose {
namespace {

using onnx::AttributeProto;
using onnx::TensorProto;

constexpr uint64_t kInlineBytes = 1024;
constexpr uint64_t kInlineListBytes = 65536;
constexpr int kKeptRecords = 8;

constexpr uint32_t Bit(WireReader::Wire wire) { return 1U << wire; }
constexpr uint32_t kLengthBit = Bit(WireReader::kLength);

const ElidedFields& TensorFields() {
  constexpr uint32_t kVarints = Bit(WireReader::kVarint) | kLengthBit;
  static const ElidedFields fields = {
      {TensorProto::kFloatDataFieldNumber,
       {Bit(WireReader::kFixed32) | kLengthBit}},
      {TensorProto::kInt32DataFieldNumber, {kVarints}},
      {TensorProto::kStringDataFieldNumber, {kLengthBit}},
      {TensorProto::kInt64DataFieldNumber, {kVarints}},
      {TensorProto::kRawDataFieldNumber, {kLengthBit, true}},
      {TensorProto::kDoubleDataFieldNumber,
       {Bit(WireReader::kFixed64) | kLengthBit}},
      {TensorProto::kUint64DataFieldNumber, {kVarints}},
  };
  return fields;
}

const ElidedFields& ListFields() {
  static const ElidedFields fields = {
      {AttributeProto::kFloatsFieldNumber,
       {Bit(WireReader::kFixed32), false, kKeptRecords}},
      {AttributeProto::kIntsFieldNumber,
       {Bit(WireReader::kVarint), false, kKeptRecords}},
      {AttributeProto::kStringsFieldNumber, {kLengthBit, false, kKeptRecords}},
  };
  return fields;
}

// Bytes by field, of the records that count.
class Sizes {
 public:
  explicit Sizes(const ElidedFields& fields) : fields_(fields) {}

  void Add(const WireReader::Record& record) {
    const auto rule = fields_.find(record.number);
    if (rule == fields_.end() || !rule->second.Takes(record.wire)) return;
    bytes_[record.number] += record.end - record.begin;
  }

  ElidedFields AtLeast(uint64_t limit) const {
    ElidedFields found;
    for (const auto& [number, bytes] : bytes_) {
      if (bytes >= limit) found.emplace(number, fields_.at(number));
    }
    return found;
  }

 private:
  const ElidedFields& fields_;
  std::map<uint32_t, uint64_t> bytes_;
};

// Numbers in a packed field, counted by their last bytes.
int CountPacked(WireReader& reader, const WireReader::Record& record) {
  int count = 0;
  for (uint64_t at = record.content; at < record.end && count < 2; ++count) {
    reader.Varint(at, record.end);
  }
  return count;
}

}  // namespace

ElidedFields TensorPayloadFields(WireReader& reader, uint64_t begin,
                                 uint64_t end) {
  // Most tensors of shape arithmetic are smaller than this altogether.
  if (end - begin < kInlineBytes) return {};
  Sizes sizes(TensorFields());
  int rank = 0;
  uint64_t type = 0;
  for (uint64_t at = begin; at < end;) {
    const WireReader::Record record = reader.Next(at, end, 0);
    at = record.end;
    sizes.Add(record);
    if (record.number == TensorProto::kDimsFieldNumber) {
      rank +=
          record.wire == WireReader::kLength ? CountPacked(reader, record) : 1;
    } else if (record.number == TensorProto::kDataTypeFieldNumber) {
      type = record.value;
    }
  }
  const bool is_list =
      rank <= 1 && (type == TensorProto::INT64 || type == TensorProto::INT32);
  return sizes.AtLeast(is_list ? kInlineListBytes : kInlineBytes);
}

ElidedFields AttributePayloadFields(WireReader& reader, uint64_t begin,
                                    uint64_t end) {
  if (end - begin < kInlineListBytes) return {};
  Sizes sizes(ListFields());
  std::string name;
  for (uint64_t at = begin; at < end;) {
    const WireReader::Record record = reader.Next(at, end, 0);
    at = record.end;
    sizes.Add(record);
    if (record.number == AttributeProto::kNameFieldNumber &&
        record.wire == WireReader::kLength &&
        record.end - record.content < kInlineBytes) {
      name = reader.Text(record);
    }
  }
  const bool shapes_output =
      name.rfind("value", 0) == 0 || name.rfind("classlabels", 0) == 0;
  return shapes_output ? ElidedFields() : sizes.AtLeast(kInlineListBytes);
}

}  // namespace onnx_expose
