#include "tensor/element_bits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "onnx_expose/element_types.h"

namespace onnx_expose {
namespace {

// A sign, an exponent, a mantissa. `none`: there is no such number.
struct Format {
  static constexpr uint64_t kNone = ~uint64_t{0};
  int type;
  int mantissa;  // bits
  int bias;
  uint64_t sign;  // the bit
  uint64_t max;   // bits of the largest finite number
  uint64_t infinity;
  uint64_t nan;
  bool negative_zero;
};

constexpr Format kFormats[] = {
    {10, 10, 15, 0x8000, 0x7BFF, 0x7C00, 0x7E00, true},          // float16
    {16, 7, 127, 0x8000, 0x7F7F, 0x7F80, 0x7FC0, true},          // bfloat16
    {17, 3, 7, 0x80, 0x7E, Format::kNone, 0x7F, true},           // e4m3fn
    {18, 3, 8, 0x80, 0x7F, Format::kNone, 0x80, false},          // e4m3fnuz
    {19, 2, 15, 0x80, 0x7B, 0x7C, 0x7F, true},                   // e5m2
    {20, 2, 16, 0x80, 0x7F, Format::kNone, 0x80, false},         // e5m2fnuz
    {23, 1, 1, 0x8, 0x7, Format::kNone, Format::kNone, true},    // e2m1
    {27, 3, 1, 0x20, 0x1F, Format::kNone, Format::kNone, true},  // e2m3
    {28, 2, 3, 0x20, 0x1F, Format::kNone, Format::kNone, true},  // e3m2
};

const Format* FindFormat(int type) {
  const auto* found =
      std::find_if(std::begin(kFormats), std::end(kFormats),
                   [&](const Format& format) { return format.type == type; });
  return found == std::end(kFormats) ? nullptr : found;
}

uint64_t NarrowBits(const Format& format, double value) {
  if (std::isnan(value)) return format.nan == Format::kNone ? 0 : format.nan;
  const uint64_t sign = std::signbit(value) ? format.sign : 0;
  const bool is_wide = format.sign > 0xFF;
  const uint64_t beyond =
      format.infinity != Format::kNone && (is_wide || std::isinf(value))
          ? format.infinity
          : format.max;
  if (std::isinf(value)) return sign | beyond;

  if (value == 0) return format.negative_zero ? sign : 0;

  const double magnitude = std::fabs(value);
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  // Steps between neighbouring numbers: 2^least for subnormal ones.
  const int least = 1 - format.bias - format.mantissa;
  const int step = std::max(exponent - 1 - format.mantissa, least);
  const auto steps =
      static_cast<uint64_t>(std::nearbyint(std::ldexp(magnitude, -step)));
  // The leading bit of a normal number adds the 1 that its exponent lacks, and
  // a mantissa that was rounded up past its width another.
  const auto above = static_cast<uint64_t>(step - least);
  if (above > (format.max >> format.mantissa)) return sign | beyond;
  const uint64_t bits = (above << format.mantissa) + steps;
  if (bits > format.max) return sign | beyond;
  if (bits == 0 && !format.negative_zero) return 0;
  return sign | bits;
}

// Powers of two and NaN; neither zero nor a sign.
uint64_t PowerBits(double value) {
  constexpr int kBias = 127;
  constexpr int kMax = 254;
  if (std::isnan(value)) return 0xFF;
  if (value <= 0) return 0;
  if (std::isinf(value)) return kMax;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // from 0.5 to 1
  const int power = exponent - (fraction < 0.75 ? 1 : 0);
  return static_cast<uint64_t>(std::clamp(power + kBias, 0, kMax));
}

}  // namespace

bool IsFloatType(int type) {
  return type == kFloat || type == kDouble || type == kFloat8E8M0 ||
         FindFormat(type) != nullptr;
}

bool IsComplexType(int type) {
  return type == kComplex64 || type == kComplex128;
}

int ComponentType(int type) {
  if (type == kComplex64) return kFloat;
  return type == kComplex128 ? kDouble : type;
}

std::optional<IntegerRange> RangeOf(int type) {
  if (type == kBool) return IntegerRange{0, 1};
  if (IsFloatType(type) || IsComplexType(type)) return std::nullopt;
  const int bits = ElementBits(type);
  if (bits == 0) return std::nullopt;
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  if (ElementName(type).starts_with("uint")) {
    return IntegerRange{0, bits == 64 ? kMost : (int64_t{1} << bits) - 1};
  }
  const int64_t max = kMost >> (64 - bits);
  return IntegerRange{-max - 1, max};
}

uint64_t FloatBits(int type, double value) {
  if (type == kDouble) return std::bit_cast<uint64_t>(value);
  if (type == kFloat) {
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  }
  if (type == kFloat8E8M0) return PowerBits(value);
  const Format* format = FindFormat(type);
  return format == nullptr ? 0 : NarrowBits(*format, value);
}

}  // namespace onnx_expose
