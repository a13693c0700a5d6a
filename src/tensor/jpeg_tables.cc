#include "tensor/jpeg_tables.h"

#include <cstddef>
#include <cstdint>

namespace onnx_expose {
namespace {

// Second bytes of markers (ITU-T T.81, table B.1).
constexpr uint8_t kHuffmanTables = 0xC4;
constexpr uint8_t kStartOfImage = 0xD8;
constexpr uint8_t kEndOfImage = 0xD9;
constexpr uint8_t kStartOfScan = 0xDA;

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  // 0 past the end, as stb_image has it.
  uint8_t Byte(size_t at) const {
    return at < bytes_.size() ? static_cast<uint8_t>(bytes_[at]) : 0;
  }
  size_t Length(size_t at) const {
    return static_cast<size_t>(Byte(at)) << 8 | Byte(at + 1);
  }
  bool AtEnd(size_t at) const { return at >= bytes_.size(); }

 private:
  std::string_view bytes_;
};

// The tables of the segment whose length is at this place.
bool IsSound(const Reader& bytes, size_t at) {
  constexpr size_t kCounts = 16;
  constexpr size_t kMostCodes = 256;
  const size_t end = at + bytes.Length(at);
  at += 2;
  while (at < end && !bytes.AtEnd(at)) {
    size_t codes = 0;
    for (size_t i = 1; i <= kCounts; ++i) codes += bytes.Byte(at + i);
    if (codes > kMostCodes) return false;
    at += 1 + kCounts + codes;
  }
  return true;
}

// Where the segments at the start of the file, one right behind the other, end.
size_t EndOfHeader(const Reader& bytes) {
  size_t at = 0;
  while (bytes.Byte(at) == 0xFF) {
    size_t marker = at + 1;
    while (bytes.Byte(marker) == 0xFF) ++marker;
    const uint8_t kind = bytes.Byte(marker);
    if (kind == 0 || kind == kEndOfImage || kind == kStartOfScan ||
        kind == kHuffmanTables) {
      break;
    }
    at = marker + 1;
    if (kind != kStartOfImage) at += bytes.Length(at);
  }
  return at;
}

}  // namespace

bool HasSoundTables(std::string_view jpeg) {
  const Reader bytes(jpeg);
  // In metadata the two bytes of the marker mean nothing. From the first scan
  // on they are always the marker, or the file is damaged: a decoder that goes
  // on behind the damage may take any place for one.
  size_t at = EndOfHeader(bytes);
  for (; !bytes.AtEnd(at); ++at) {
    if (bytes.Byte(at) == 0xFF && bytes.Byte(at + 1) == kHuffmanTables &&
        !IsSound(bytes, at + 2)) {
      return false;
    }
  }
  return true;
}

}  // namespace onnx_expose
