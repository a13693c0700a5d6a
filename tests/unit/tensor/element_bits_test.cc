#include "tensor/element_bits.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "onnx_expose/element_types.h"

namespace onnx_expose {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

uint64_t Bits(const char* type, double value) {
  return FloatBits(ElementType(type), value);
}

TEST(FloatBits, WideTypes) {
  EXPECT_EQ(Bits("double", 1.5), std::bit_cast<uint64_t>(1.5));
  EXPECT_EQ(Bits("float", 0.1), std::bit_cast<uint32_t>(0.1F));
}

// Against numpy and ml_dtypes.
TEST(FloatBits, Float16) {
  EXPECT_EQ(Bits("float16", 1), 0x3C00);
  EXPECT_EQ(Bits("float16", -0.1), 0xAE66);
  EXPECT_EQ(Bits("float16", 65504), 0x7BFF);
  EXPECT_EQ(Bits("float16", 65519), 0x7BFF);
  EXPECT_EQ(Bits("float16", 65520), 0x7C00);
  EXPECT_EQ(Bits("float16", -1e300), 0xFC00);
  EXPECT_EQ(Bits("float16", 6e-8), 0x0001);            // subnormal
  EXPECT_EQ(Bits("float16", 2.9e-8), 0x0000);          // less than half of it
  EXPECT_EQ(Bits("float16", 6.1e-5), 0x03FF);          // the largest subnormal
  EXPECT_EQ(Bits("float16", 1 + 1.0 / 2048), 0x3C00);  // ties to even
  EXPECT_EQ(Bits("float16", 1 + 3.0 / 2048), 0x3C02);
  EXPECT_EQ(Bits("float16", 1.9999), 0x4000);  // rounds up to the next power
  EXPECT_EQ(Bits("float16", -0.0), 0x8000);
  EXPECT_EQ(Bits("float16", kInfinity), 0x7C00);
  EXPECT_EQ(Bits("float16", std::nan("")), 0x7E00);
}

TEST(FloatBits, Bfloat16) {
  EXPECT_EQ(Bits("bfloat16", 3.14159), 0x4049);
  EXPECT_EQ(Bits("bfloat16", 1e-40), 0x0001);
  EXPECT_EQ(Bits("bfloat16", 3.4e38), 0x7F80);
  EXPECT_EQ(Bits("bfloat16", -2), 0xC000);
}

TEST(FloatBits, EightBits) {
  EXPECT_EQ(Bits("float8e4m3fn", 448), 0x7E);
  EXPECT_EQ(Bits("float8e4m3fn", 1e9), 0x7E);  // the largest, not NaN
  EXPECT_EQ(Bits("float8e4m3fn", -1.125), 0xB9);
  EXPECT_EQ(Bits("float8e4m3fn", std::nan("")), 0x7F);
  EXPECT_EQ(Bits("float8e4m3fnuz", 1), 0x40);
  EXPECT_EQ(Bits("float8e4m3fnuz", -0.0), 0);  // 0x80 is NaN
  EXPECT_EQ(Bits("float8e4m3fnuz", -1e-9), 0);
  EXPECT_EQ(Bits("float8e4m3fnuz", 1000), 0x7F);
  EXPECT_EQ(Bits("float8e5m2", 1), 0x3C);
  EXPECT_EQ(Bits("float8e5m2", 1e9), 0x7B);
  EXPECT_EQ(Bits("float8e5m2", kInfinity), 0x7C);
  EXPECT_EQ(Bits("float8e5m2fnuz", 1), 0x40);
  EXPECT_EQ(Bits("float8e8m0", 1), 127);
  EXPECT_EQ(Bits("float8e8m0", 0.25), 125);
  EXPECT_EQ(Bits("float8e8m0", 3.1), 129);
  EXPECT_EQ(Bits("float8e8m0", 0), 0);
  EXPECT_EQ(Bits("float8e8m0", 1e300), 254);
}

TEST(FloatBits, LessThanEightBits) {
  EXPECT_EQ(Bits("float4e2m1", 0.5), 1);
  EXPECT_EQ(Bits("float4e2m1", 6), 7);
  EXPECT_EQ(Bits("float4e2m1", 100), 7);
  EXPECT_EQ(Bits("float4e2m1", -1.5), 0xB);
  EXPECT_EQ(Bits("float6e2m3", 7.5), 0x1F);
  EXPECT_EQ(Bits("float6e2m3", 0.125), 1);
  EXPECT_EQ(Bits("float6e3m2", -28), 0x3F);
}

TEST(RangeOf, IntegerTypes) {
  const auto range = [](const char* type) {
    const auto found = RangeOf(ElementType(type));
    return found ? std::pair(found->min, found->max)
                 : std::pair<int64_t, int64_t>(1, -1);
  };
  const auto is = [](int64_t min, int64_t max) { return std::pair(min, max); };
  EXPECT_EQ(range("uint8"), is(0, 255));
  EXPECT_EQ(range("int8"), is(-128, 127));
  EXPECT_EQ(range("int4"), is(-8, 7));
  EXPECT_EQ(range("uint2"), is(0, 3));
  EXPECT_EQ(range("bool"), is(0, 1));
  EXPECT_EQ(range("int64"), is(std::numeric_limits<int64_t>::min(),
                               std::numeric_limits<int64_t>::max()));
  EXPECT_EQ(range("uint64"), is(0, std::numeric_limits<int64_t>::max()));
  EXPECT_EQ(range("float"), is(1, -1));
  EXPECT_EQ(range("string"), is(1, -1));
  EXPECT_EQ(range("complex64"), is(1, -1));
}

}  // namespace
}  // namespace onnx_expose
