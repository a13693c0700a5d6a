#include "support/base64.h"

#include <cstdint>

namespace onnx_expose {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string Base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; ++i) {
      bits =
          bits << 8 | (i < group.size() ? static_cast<uint8_t>(group[i]) : 0);
    }
    for (size_t i = 0; i < 4; ++i) {
      text += i <= group.size() ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
    }
  }
  return text;
}

std::optional<std::string> FromBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  for (size_t at = 0; at < text.size(); at += 4) {
    uint32_t bits = 0;
    size_t digits = 0;
    for (; digits < 4 && text[at + digits] != '='; ++digits) {
      const size_t digit = kDigits.find(text[at + digits]);
      if (digit == std::string_view::npos) return std::nullopt;
      bits = bits << 6 | static_cast<uint32_t>(digit);
    }
    const bool last = at + 4 == text.size();
    if (digits < 2 || (digits < 4 && !last) ||
        (digits == 2 && text[at + 3] != '=')) {
      return std::nullopt;
    }
    bits <<= 6 * (4 - digits);
    for (size_t i = 0; i + 1 < digits; ++i) {
      bytes += static_cast<char>(bits >> (16 - 8 * i) & 0xFF);
    }
  }
  return bytes;
}

}  // namespace onnx_expose
