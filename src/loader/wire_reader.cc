#include "loader/wire_reader.h"

#include <fmt/format.h>

#include "onnx_expose/error.h"

namespace onnx_expose {
namespace {

constexpr int kDeepestGroup = 100;
constexpr uint64_t kLargestField = (uint64_t{1} << 29) - 1;

}  // namespace

void WireReader::Fail(uint64_t offset, const std::string& what) const {
  throw Error(ExitCode::kInput, source_.path(),
              {fmt::format("malformed at offset {}: {}", offset, what),
               "the file is damaged or is not an ONNX model", ""});
}

uint64_t WireReader::Varint(uint64_t& at, uint64_t end) {
  const uint64_t begin = at;
  uint64_t value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (at >= end) Fail(begin, "the message ends inside a number");
    const uint8_t byte = source_.At(at++);
    if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  Fail(begin, "a number of more than 10 bytes");
}

WireReader::Record WireReader::Next(uint64_t at, uint64_t end, int depth) {
  Record record;
  record.begin = at;
  const uint64_t tag = Varint(at, end);
  record.wire = static_cast<uint32_t>(tag & 7);
  if ((tag >> 3) == 0 || (tag >> 3) > kLargestField) {
    Fail(record.begin, fmt::format("field number {}", tag >> 3));
  }
  record.number = static_cast<uint32_t>(tag >> 3);
  record.content = at;
  uint64_t size = 0;
  switch (record.wire) {
    case kVarint:
      record.value = Varint(at, end);
      break;
    case kFixed64:
      size = 8;
      break;
    case kFixed32:
      size = 4;
      break;
    case kLength:
      size = Varint(at, end);
      record.content = at;
      break;
    case kGroup:
      at = SkipGroup(at, end, record.number, depth + 1);
      break;
    case kEndGroup:
      Fail(record.begin, "a group ends that never began");
    default:
      Fail(record.begin, fmt::format("wire type {}", record.wire));
  }
  if (size > end - at) {
    Fail(record.begin,
         fmt::format("field {} takes {} bytes and only {} are left",
                     record.number, size, end - at));
  }
  record.end = at + size;
  return record;
}

uint64_t WireReader::SkipGroup(uint64_t at, uint64_t end, uint32_t number,
                               int depth) {
  const uint64_t begin = at;
  if (depth > kDeepestGroup) Fail(begin, "groups nested too deep");
  while (at < end) {
    uint64_t next = at;
    const uint64_t tag = Varint(next, end);
    if ((tag & 7) == kEndGroup) {
      if ((tag >> 3) != number) Fail(at, "the end of another group");
      return next;
    }
    at = Next(at, end, depth).end;
  }
  Fail(begin, "a group that never ends");
}

std::string WireReader::Text(const Record& record) {
  std::string text;
  source_.Append(record.content, record.end - record.content, text);
  return text;
}

}  // namespace onnx_expose
