#include "tensor/unicode.h"

#include <algorithm>
#include <cstdint>

namespace onnx_expose {

size_t CodePoints(std::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<uint8_t>(c) & 0xC0) != 0x80; }));
}

std::u32string FromUtf8(std::string_view text) {
  std::u32string codes;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte < 0x80) {
      codes.push_back(byte);
    } else if (byte >= 0xC0) {
      codes.push_back(byte & (byte < 0xE0 ? 0x1F : byte < 0xF0 ? 0x0F : 0x07));
    } else {
      codes.back() = codes.back() << 6 | (byte & 0x3F);
    }
  }
  return codes;
}

bool AppendUtf8(char32_t code, std::string& text) {
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
  if (code < 0x80) {
    text.push_back(static_cast<char>(code));
    return true;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  const unsigned lead = more == 1 ? 0xC0 : more == 2 ? 0xE0 : 0xF0;
  text.push_back(static_cast<char>(lead | code >> (6 * more)));
  for (int i = more - 1; i >= 0; --i) {
    text.push_back(static_cast<char>(0x80 | (code >> (6 * i) & 0x3F)));
  }
  return true;
}

}  // namespace onnx_expose
