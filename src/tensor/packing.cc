#include "tensor/packing.h"

#include <onnx/onnx_pb.h>

#include "onnx_expose/element_types.h"
#include "onnx_expose/tensor.h"

namespace onnx_expose {
namespace {

bool IsSigned(int type) {
  return type == onnx::TensorProto::INT4 || type == onnx::TensorProto::INT2;
}

}  // namespace

bool IsPacked(int type) {
  const int bits = ElementBits(type);
  return bits > 0 && bits < 8;
}

void Unpack(int type, std::span<const std::byte> packed, uint64_t first,
            size_t count, uint8_t* codes) {
  const auto bits = static_cast<unsigned>(ElementBits(type));
  const unsigned mask = (1U << bits) - 1;
  const unsigned sign = IsSigned(type) ? 1U << (bits - 1) : 0;
  uint64_t bit = first * bits;
  for (size_t i = 0; i < count; ++i, bit += bits) {
    const uint64_t at = bit / 8;
    auto window = std::to_integer<unsigned>(packed[at]);
    // Only elements of 6 bits reach into the next byte.
    if (bit % 8 + bits > 8) {
      window |= std::to_integer<unsigned>(packed[at + 1]) << 8;
    }
    const unsigned code = window >> (bit % 8) & mask;
    codes[i] = static_cast<uint8_t>((code ^ sign) - sign);
  }
}

std::vector<std::byte> Pack(int type, std::span<const std::byte> codes) {
  const auto bits = static_cast<unsigned>(ElementBits(type));
  const unsigned mask = (1U << bits) - 1;
  std::vector<std::byte> packed(DataBytes(type, codes.size()));
  uint64_t bit = 0;
  for (const std::byte each : codes) {
    const unsigned code = (std::to_integer<unsigned>(each) & mask) << (bit % 8);
    packed[bit / 8] |= static_cast<std::byte>(code & 0xff);
    if (code > 0xff) packed[bit / 8 + 1] |= static_cast<std::byte>(code >> 8);
    bit += bits;
  }
  return packed;
}

}  // namespace onnx_expose
