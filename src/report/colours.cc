#include "report/colours.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace onnx_expose {
namespace {

// matplotlib's viridis (CC0) at even distances.
constexpr Colour kViridis[] = {
    {0x44, 0x01, 0x54}, {0x47, 0x2d, 0x7b}, {0x3b, 0x52, 0x8b},
    {0x2c, 0x72, 0x8e}, {0x21, 0x91, 0x8c}, {0x28, 0xae, 0x80},
    {0x5e, 0xc9, 0x62}, {0xad, 0xdc, 0x30}, {0xfd, 0xe7, 0x25}};

uint8_t Between(uint8_t a, uint8_t b, double part) {
  return static_cast<uint8_t>(std::lround(a * (1 - part) + b * part));
}

Colour Viridis(double place) {
  constexpr double kLast = std::size(kViridis) - 1;
  const double at = std::clamp(place, 0.0, 1.0) * kLast;
  const auto left = static_cast<size_t>(std::min(std::floor(at), kLast - 1));
  const double part = at - static_cast<double>(left);
  const Colour& a = kViridis[left];
  const Colour& b = kViridis[left + 1];
  return {Between(a.red, b.red, part), Between(a.green, b.green, part),
          Between(a.blue, b.blue, part)};
}

}  // namespace

std::array<Colour, 256> ColoursOfCodes(const ReducedTensor& tensor,
                                       Range range) {
  std::array<Colour, 256> colours;
  const double width = range.high - range.low;
  for (size_t code = 0; code < colours.size(); ++code) {
    const double number =
        tensor.offset + (static_cast<double>(code) - 2) * tensor.scale;
    colours[code] = Viridis(width > 0 ? (number - range.low) / width : 0.5);
  }
  colours[0] = {214, 39, 160};
  colours[1] = {0, 0, 0};
  colours[255] = {255, 255, 255};
  return colours;
}

Range RangeOf(const ReducedTensor& tensor) {
  int low = 255, high = 0;
  for (const char each : tensor.codes) {
    const int code = static_cast<unsigned char>(each);
    if (code < 2 || code == 255) continue;
    low = std::min(low, code);
    high = std::max(high, code);
  }
  if (low > high) return {};
  return {tensor.offset + (low - 2) * tensor.scale,
          tensor.offset + (high - 2) * tensor.scale};
}

}  // namespace onnx_expose
