#include "writer/splice.h"

#include <algorithm>

#include "model/message_schema.h"
#include "onnx_expose/error.h"

namespace onnx_expose {
namespace {

void AppendVarint(uint64_t value, std::string& to) {
  for (; value >= 0x80; value >>= 7) {
    to.push_back(static_cast<char>(value | 0x80));
  }
  to.push_back(static_cast<char>(value));
}

// The skeleton was serialised by protobuf a moment ago: it is well-formed.
class Splicer {
 public:
  Splicer(const Skeleton& model, const std::vector<FileSpan>& inlined,
          SplicedModel& result)
      : model_(model),
        inlined_(inlined),
        result_(result),
        bytes_(result.serialized) {}

  void Run() { result_.size = Message(ModelSchema(), 0, bytes_.size()); }

 private:
  struct Record {
    uint32_t number = 0;
    uint32_t wire = 0;
    size_t begin = 0;
    size_t content = 0;
    size_t end = 0;
    uint64_t value = 0;
  };

  struct Marker {
    int field = 0;  // that the payload is a part of
    uint64_t number = 0;
  };

  uint64_t Varint(size_t& at) const {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<uint8_t>(bytes_[at++]);
      value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
  }

  Record Next(size_t at) const {
    Record record;
    record.begin = at;
    const uint64_t tag = Varint(at);
    record.number = static_cast<uint32_t>(tag >> 3);
    record.wire = static_cast<uint32_t>(tag & 7);
    record.content = at;
    switch (record.wire) {
      case 0:
        record.value = Varint(at);
        break;
      case 1:
        at += 8;
        break;
      case 2: {
        const uint64_t size = Varint(at);
        record.content = at;
        at += size;
        break;
      }
      case 3:
        for (Record inner = Next(at); inner.wire != 4; inner = Next(at)) {
          at = inner.end;
        }
        Varint(at);
        break;
      default:  // 5: four bytes; 4: the end of a group, nothing
        at += record.wire == 5 ? 4 : 0;
    }
    record.end = at;
    return record;
  }

  // Appends the message's pieces and returns their size.
  uint64_t Message(const MessageSchema& schema, size_t begin, size_t end) {
    uint64_t size = 0;
    const std::vector<Marker> markers = Markers(schema, begin, end);
    size_t next = 0;
    for (size_t at = begin; at < end;) {
      const Record record = Next(at);
      at = record.end;
      if (record.number == kPayloadField) continue;
      const auto& field = schema.field(record.number);
      while (next < markers.size() &&
             (!field.known ||
              static_cast<int>(record.number) > markers[next].field)) {
        size += AddPayload(markers[next++].number);
      }
      size += field.message != nullptr && record.wire == 2 &&
                      field.message->holds_payloads
                  ? Child(*field.message, record)
                  : Literal(record.begin, record.end);
    }
    while (next < markers.size()) size += AddPayload(markers[next++].number);
    return size;
  }

  std::vector<Marker> Markers(const MessageSchema& schema, size_t begin,
                              size_t end) const {
    std::vector<Marker> markers;
    if (schema.kind != MessageSchema::Kind::kTensor &&
        schema.kind != MessageSchema::Kind::kAttribute) {
      return markers;
    }
    for (size_t at = begin; at < end;) {
      const Record record = Next(at);
      at = record.end;
      if (record.number != kPayloadField) continue;
      const bool own = record.value < model_.payloads.size();
      markers.push_back({own ? model_.payloads[record.value].field
                             : onnx::TensorProto::kRawDataFieldNumber,
                         record.value});
    }
    std::stable_sort(
        markers.begin(), markers.end(),
        [](const Marker& a, const Marker& b) { return a.field < b.field; });
    return markers;
  }

  uint64_t AddPayload(uint64_t number) {
    ++payload_count_;
    const size_t own = model_.payloads.size();
    if (number < own) {
      const Payload& payload = model_.payloads[number];
      return Add({{}, {nullptr, payload.offset, payload.size}});
    }
    const FileSpan& data = inlined_.at(number - own);
    std::string& head = result_.heads.emplace_back();
    AppendVarint(onnx::TensorProto::kRawDataFieldNumber << 3 | 2, head);
    AppendVarint(data.size, head);
    Add({head, {}});
    Add({{}, data});
    return head.size() + data.size;
  }

  // The tag stays, the length changes when a payload lies inside.
  uint64_t Child(const MessageSchema& schema, const Record& record) {
    const size_t pieces = result_.pieces.size();
    const auto last =
        pieces > 0 ? result_.pieces.back() : SplicedModel::Piece();
    const size_t payloads = payload_count_;
    size_t length_at = record.begin;
    Varint(length_at);
    const uint64_t tag_size = Literal(record.begin, length_at);
    const size_t length_piece = result_.pieces.size();
    result_.pieces.emplace_back();
    const uint64_t size = Message(schema, record.content, record.end);
    if (payload_count_ == payloads) {
      result_.pieces.resize(pieces);
      if (pieces > 0) result_.pieces.back() = last;
      return Literal(record.begin, record.end);
    }
    std::string& length = result_.heads.emplace_back();
    AppendVarint(size, length);
    result_.pieces[length_piece].bytes = length;
    return tag_size + length.size() + size;
  }

  uint64_t Literal(size_t begin, size_t end) {
    const std::string_view bytes =
        std::string_view(bytes_).substr(begin, end - begin);
    if (!result_.pieces.empty()) {
      SplicedModel::Piece& last = result_.pieces.back();
      if (last.span.size == 0 &&
          last.bytes.data() + last.bytes.size() == bytes.data()) {
        last.bytes = {last.bytes.data(), last.bytes.size() + bytes.size()};
        return bytes.size();
      }
    }
    return Add({bytes, {}});
  }

  uint64_t Add(SplicedModel::Piece piece) {
    result_.pieces.push_back(piece);
    return piece.bytes.size() + piece.span.size;
  }

  const Skeleton& model_;
  const std::vector<FileSpan>& inlined_;
  SplicedModel& result_;
  const std::string& bytes_;
  size_t payload_count_ = 0;
};

}  // namespace

SplicedModel Splice(const Skeleton& model,
                    const std::vector<FileSpan>& inlined) {
  SplicedModel result;
  if (!model.proto.SerializePartialToString(&result.serialized)) {
    throw Error(ExitCode::kOutput, "",
                {"protobuf can't serialise the result", "", ""});
  }
  if (model.payloads.empty() && inlined.empty()) {
    result.pieces.push_back({result.serialized, {}});
    result.size = result.serialized.size();
  } else {
    Splicer(model, inlined, result).Run();
  }
  return result;
}

}  // namespace onnx_expose
