#ifndef ONNX_EXPOSE_TESTS_SUPPORT_WIRE_H_
#define ONNX_EXPOSE_TESTS_SUPPORT_WIRE_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace onnx_expose::testing {

// Protobuf's wire format by hand, for what no protobuf library would write.

// With `extra_bytes` it is longer than need be, which readers accept.
inline std::string Varint(uint64_t value, int extra_bytes = 0) {
  std::string bytes;
  for (; value >= 0x80 || extra_bytes > 0; value >>= 7) {
    if (value < 0x80) --extra_bytes;
    bytes += static_cast<char>(value | 0x80);
  }
  return bytes + static_cast<char>(value);
}

inline std::string Tag(uint32_t number, uint32_t wire) {
  return Varint(uint64_t{number} << 3 | wire);
}

inline std::string VarintField(uint32_t number, uint64_t value) {
  return Tag(number, 0) + Varint(value);
}

inline std::string LengthField(uint32_t number, std::string_view content,
                               int extra_bytes = 0) {
  return Tag(number, 2) + Varint(content.size(), extra_bytes).append(content);
}

inline std::string GroupField(uint32_t number, std::string_view content) {
  return Tag(number, 3).append(content) + Tag(number, 4);
}

}  // namespace onnx_expose::testing

#endif  // ONNX_EXPOSE_TESTS_SUPPORT_WIRE_H_
