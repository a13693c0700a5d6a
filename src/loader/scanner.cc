#include "loader/scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "loader/byte_source.h"
#include "loader/payload_rules.h"
#include "loader/wire_reader.h"
#include "model/message_schema.h"
#include "onnx_expose/error.h"

namespace onnx_expose {
namespace {

// What protobuf's readers accept, ONNX Runtime among them.
constexpr int kDeepestMessage = 100;
// A length prefix that is filled in later: five bytes reach 32 GiB.
constexpr size_t kLengthBytes = 5;
constexpr uint64_t kLargestSkeleton = (uint64_t{1} << 31) - 1;

class Scanner {
 public:
  explicit Scanner(const InputFile& file) : source_(file), reader_(source_) {}

  ScannedModel Scan() {
    Message(ModelSchema(), 0, source_.size(), 0, /*may_elide=*/true);
    return std::move(result_);
  }

 private:
  using Record = WireReader::Record;

  // What is left out of the message being read, and what has been so far.
  struct Elision {
    ElidedFields fields;
    std::map<uint32_t, int> kept;
    std::vector<Payload> payloads;
  };

  void Message(const MessageSchema& schema, uint64_t begin, uint64_t end,
               int depth, bool may_elide) {
    if (depth > kDeepestMessage) {
      throw Error(
          ExitCode::kInput, source_.path(),
          {fmt::format("nested more than {} messages deep at offset {}",
                       kDeepestMessage, begin),
           "no protobuf reader accepts that, ONNX Runtime neither", ""});
    }
    Elision elision;
    if (may_elide) elision.fields = PayloadFields(schema, begin, end);
    const bool merges = may_elide && MergesParts(schema, begin, end);
    for (uint64_t at = begin; at < end;) {
      const Record record = reader_.Next(at, end, depth);
      at = record.end;
      if (record.number == kPayloadField) {
        reader_.Fail(record.begin,
                     fmt::format("field number {}, which protobuf reserves",
                                 kPayloadField));
      }
      const auto& field = schema.field(record.number);
      if (LeftOut(elision, record)) continue;
      if (field.message != nullptr && record.wire == WireReader::kLength) {
        Child(*field.message, record, depth,
              may_elide && !(merges && !field.repeated));
      } else {
        Copy(record.begin, record.end);
      }
    }
    FlushRun();
    WriteMarkers(elision);
  }

  ElidedFields PayloadFields(const MessageSchema& schema, uint64_t begin,
                             uint64_t end) {
    switch (schema.kind) {
      case MessageSchema::Kind::kTensor:
        return TensorPayloadFields(reader_, begin, end);
      case MessageSchema::Kind::kAttribute:
        return AttributePayloadFields(reader_, begin, end);
      default:
        return {};
    }
  }

  void Child(const MessageSchema& schema, const Record& record, int depth,
             bool may_elide) {
    FlushRun();
    Varint(uint64_t{record.number} << 3 | WireReader::kLength);
    const size_t length_at = result_.bytes.size();
    result_.bytes.append(kLengthBytes, '\0');
    Message(schema, record.content, record.end, depth + 1, may_elide);
    uint64_t length = result_.bytes.size() - length_at - kLengthBytes;
    for (size_t i = 0; i < kLengthBytes; ++i) {
      const bool last = i + 1 == kLengthBytes;
      result_.bytes[length_at + i] =
          static_cast<char>((length & 0x7F) | (last ? 0 : 0x80));
      length >>= 7;
    }
  }

  // Two records of a singular message are merged by every reader; a payload of
  // one of them could then not be told from data of the other.
  bool MergesParts(const MessageSchema& schema, uint64_t begin, uint64_t end) {
    if (schema.kind != MessageSchema::Kind::kAttribute &&
        schema.kind != MessageSchema::Kind::kSparseTensor) {
      return false;
    }
    std::set<uint32_t> seen;
    for (uint64_t at = begin; at < end;) {
      const Record record = reader_.Next(at, end, 0);
      at = record.end;
      const auto& field = schema.field(record.number);
      if (field.message != nullptr && !field.repeated &&
          !seen.insert(record.number).second) {
        return true;
      }
    }
    return false;
  }

  // Whether the record is left out. Neighbouring records of one field become
  // one payload, so that long lists of small records cost nothing.
  static bool LeftOut(Elision& elision, const Record& record) {
    const auto rule = elision.fields.find(record.number);
    if (rule == elision.fields.end() || !rule->second.Takes(record.wire)) {
      return false;
    }
    if (elision.kept[record.number] < rule->second.keep) {
      ++elision.kept[record.number];
      return false;
    }
    auto& payloads = elision.payloads;
    const int field = static_cast<int>(record.number);
    if (rule->second.last_only) {
      payloads.erase(std::remove_if(payloads.begin(), payloads.end(),
                                    [&](const Payload& payload) {
                                      return payload.field == field;
                                    }),
                     payloads.end());
    }
    if (!payloads.empty() && payloads.back().field == field &&
        payloads.back().offset + payloads.back().size == record.begin) {
      payloads.back().size += record.end - record.begin;
      payloads.back().content_offset = payloads.back().content_size = 0;
      return true;
    }
    const bool whole = record.wire == WireReader::kLength;
    payloads.push_back({field, record.begin, record.end - record.begin,
                        whole ? record.content : 0,
                        whole ? record.end - record.content : 0});
    return true;
  }

  // They go to the end of their message, where protobuf keeps unknown fields.
  void WriteMarkers(const Elision& elision) {
    for (const Payload& payload : elision.payloads) {
      Varint(uint64_t{kPayloadField} << 3 | WireReader::kVarint);
      Varint(result_.payloads.size());
      result_.payloads.push_back(payload);
    }
  }

  // Neighbouring records are copied in one go.
  void Copy(uint64_t begin, uint64_t end) {
    if (run_end_ == begin && run_end_ > run_begin_) {
      run_end_ = end;
      return;
    }
    FlushRun();
    run_begin_ = begin;
    run_end_ = end;
  }

  void FlushRun() {
    const uint64_t size = run_end_ - run_begin_;
    if (size == 0) return;
    if (result_.bytes.size() + size > kLargestSkeleton) {
      throw Error(ExitCode::kInput, source_.path(),
                  {"more than 2 GiB of the file are not tensor data",
                   "protobuf can't hold a message of that size", ""});
    }
    source_.Append(run_begin_, size, result_.bytes);
    run_begin_ = run_end_ = 0;
  }

  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
      result_.bytes.push_back(static_cast<char>(value | 0x80));
    }
    result_.bytes.push_back(static_cast<char>(value));
  }

  ByteSource source_;
  WireReader reader_;
  ScannedModel result_;
  uint64_t run_begin_ = 0;
  uint64_t run_end_ = 0;
};

}  // namespace

ScannedModel ScanModel(const InputFile& file) { return Scanner(file).Scan(); }

}  // namespace onnx_expose
