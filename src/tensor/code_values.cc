#include <onnx/onnx_pb.h>

#include <cmath>
#include <limits>
#include <map>

#include "onnx_expose/element_types.h"
#include "tensor/numbers.h"

namespace onnx_expose {
namespace {

using onnx::TensorProto;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A sign, an exponent, a mantissa; and what the codes at the end mean.
struct SmallFloat {
  enum class Special {
    kNone,           // numbers only
    kLastIsNan,      // all ones: NaN ("FN")
    kIeee,           // highest exponent: infinity and NaN
    kMinusZeroIsNan  // and no infinity ("FNUZ")
  };
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Special special;
};

const SmallFloat* FindSmallFloat(int type) {
  using enum SmallFloat::Special;
  static const std::map<int, SmallFloat> formats = {
      {TensorProto::FLOAT8E4M3FN, {4, 3, 7, kLastIsNan}},
      {TensorProto::FLOAT8E4M3FNUZ, {4, 3, 8, kMinusZeroIsNan}},
      {TensorProto::FLOAT8E5M2, {5, 2, 15, kIeee}},
      {TensorProto::FLOAT8E5M2FNUZ, {5, 2, 16, kMinusZeroIsNan}},
      {TensorProto::FLOAT4E2M1, {2, 1, 1, kNone}},
      {TensorProto::FLOAT6E2M3, {2, 3, 1, kNone}},
      {TensorProto::FLOAT6E3M2, {3, 2, 3, kNone}},
  };
  const auto at = formats.find(type);
  return at == formats.end() ? nullptr : &at->second;
}

double Decode(const SmallFloat& format, int code) {
  using enum SmallFloat::Special;
  const int sign_bit = 1 << (format.exponent_bits + format.mantissa_bits);
  const int magnitude = code & (sign_bit - 1);
  const int exponent = magnitude >> format.mantissa_bits;
  const int mantissa = magnitude & ((1 << format.mantissa_bits) - 1);
  const double sign = (code & sign_bit) != 0 ? -1 : 1;
  if (format.special == kMinusZeroIsNan && code == sign_bit) return kNan;
  if (format.special == kLastIsNan && magnitude == sign_bit - 1) return kNan;
  if (format.special == kIeee && exponent == (1 << format.exponent_bits) - 1) {
    return mantissa == 0 ? sign * kInfinity : kNan;
  }
  const int unit = 1 << format.mantissa_bits;
  const int significand = exponent == 0 ? mantissa : unit + mantissa;
  return std::ldexp(sign * significand,
                    std::max(exponent, 1) - format.bias - format.mantissa_bits);
}

double ValueOfCode(int type, int code) {
  if (const SmallFloat* format = FindSmallFloat(type)) {
    return Decode(*format, code);
  }
  switch (type) {
    case TensorProto::BOOL:
      return code != 0 ? 1 : 0;
    case TensorProto::INT8:
    case TensorProto::INT4:
    case TensorProto::INT2:
      return static_cast<int8_t>(code);
    case TensorProto::FLOAT8E8M0:
      return code == 0xff ? kNan : std::ldexp(1.0, code - 127);
    default:
      return code;
  }
}

}  // namespace

const CodeValues& ValuesOfCodes(int type) {
  static const auto tables = [] {
    std::map<int, CodeValues> all;
    for (int each = 1; IsElementType(each); ++each) {
      if (ElementBits(each) == 0 || ElementBits(each) > 8) continue;
      CodeValues& values = all[each];
      for (int code = 0; code < 256; ++code) {
        values[static_cast<size_t>(code)] = ValueOfCode(each, code);
      }
    }
    return all;
  }();
  return tables.at(type);
}

}  // namespace onnx_expose
