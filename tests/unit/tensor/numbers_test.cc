#include "tensor/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "onnx_expose/element_types.h"
#include "tensor/packing.h"
#include "tests/support/tensors.h"

namespace onnx_expose {
namespace {

using testing::TensorOf;

double First(const Tensor& tensor) {
  double number = 0;
  ToDoubles(tensor, 0, 1, &number);
  return number;
}

TEST(Numbers, Float16) {
  const int type = ElementType("float16");
  const auto value = [&](uint16_t bits) {
    return First(TensorOf<uint16_t>(type, {1}, {bits}));
  };
  EXPECT_EQ(value(0x3c00), 1);
  EXPECT_EQ(value(0xc000), -2);
  EXPECT_EQ(value(0x7bff), 65504);
  EXPECT_EQ(value(0x0001), 0x1p-24);
  EXPECT_EQ(value(0x83ff), -1023 * 0x1p-24);
  EXPECT_TRUE(std::signbit(value(0x8000)));
  EXPECT_EQ(value(0xfc00), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(value(0x7c01)));
  EXPECT_TRUE(std::isnan(value(0xffff)));
}

TEST(Numbers, Bfloat16) {
  const int type = ElementType("bfloat16");
  EXPECT_EQ(First(TensorOf<uint16_t>(type, {1}, {0x3f80})), 1);
  EXPECT_EQ(First(TensorOf<uint16_t>(type, {1}, {0x7f7f})), 0xff * 0x1p120);
  EXPECT_TRUE(std::isnan(First(TensorOf<uint16_t>(type, {1}, {0x7f81}))));
}

TEST(Numbers, SmallFloats) {
  const auto value = [](const char* type, size_t code) {
    return ValuesOfCodes(ElementType(type))[code];
  };
  EXPECT_EQ(value("float8e4m3fn", 0x7e), 448);
  EXPECT_EQ(value("float8e4m3fn", 0x01), 0x1p-9);
  EXPECT_TRUE(std::isnan(value("float8e4m3fn", 0xff)));
  EXPECT_EQ(value("float8e4m3fnuz", 0x7f), 240);
  EXPECT_TRUE(std::isnan(value("float8e4m3fnuz", 0x80)));
  EXPECT_EQ(value("float8e5m2", 0x7b), 57344);
  EXPECT_EQ(value("float8e5m2", 0xfc),
            -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(value("float8e5m2", 0x7d)));
  EXPECT_EQ(value("float8e5m2fnuz", 0x7f), 57344);
  EXPECT_EQ(value("float4e2m1", 0x7), 6);
  EXPECT_EQ(value("float4e2m1", 0x9), -0.5);
  EXPECT_EQ(value("float6e2m3", 0x1f), 7.5);
  EXPECT_EQ(value("float6e3m2", 0x1f), 28);
  EXPECT_EQ(value("float6e3m2", 0x21), -0.0625);
  EXPECT_EQ(value("float8e8m0", 127), 1);
  EXPECT_EQ(value("float8e8m0", 0), 0x1p-127);
  EXPECT_TRUE(std::isnan(value("float8e8m0", 255)));
}

TEST(Numbers, PackedElementsBeginWithTheLowestBits) {
  const Tensor int4 = TensorOf<uint8_t>(ElementType("int4"), {3}, {0xf1, 0x08});
  double numbers[3];
  ToDoubles(int4, 0, 3, numbers);
  EXPECT_EQ(numbers[0], 1);
  EXPECT_EQ(numbers[1], -1);
  EXPECT_EQ(numbers[2], -8);
  ToDoubles(int4, 2, 1, numbers);
  EXPECT_EQ(numbers[0], -8);
}

TEST(Packing, ComesBackFromEveryPackedType) {
  for (const char* name :
       {"uint4", "int4", "float4e2m1", "uint2", "int2", "float6e2m3"}) {
    const int type = ElementType(name);
    const int bits = ElementBits(type);
    for (size_t count = 0; count < 20; ++count) {
      std::vector<std::byte> codes(count);
      for (size_t i = 0; i < count; ++i) {
        codes[i] = static_cast<std::byte>(i * 7 & ((1U << bits) - 1));
      }
      const std::vector<std::byte> packed = Pack(type, codes);
      ASSERT_EQ(packed.size(), DataBytes(type, count));
      std::vector<uint8_t> back(count);
      Unpack(type, packed, 0, count, back.data());
      std::vector<std::byte> again(count);
      for (size_t i = 0; i < count; ++i) {
        again[i] = static_cast<std::byte>(back[i] & ((1U << bits) - 1));
      }
      EXPECT_EQ(again, codes) << name;
    }
  }
}

// The example of onnx.proto.
TEST(Packing, SixBits) {
  const std::vector<std::byte> codes = {std::byte{1}, std::byte{2},
                                        std::byte{3}, std::byte{63}};
  const std::vector<std::byte> packed = {std::byte{1 | (2 & 3) << 6},
                                         std::byte{2 >> 2 | (3 & 15) << 4},
                                         std::byte{3 >> 4 | 63 << 2}};
  EXPECT_EQ(Pack(ElementType("float6e2m3"), codes), packed);
}

TEST(Tensor, CountsDontOverflow) {
  constexpr uint64_t kTooMany = std::numeric_limits<uint64_t>::max();
  EXPECT_EQ(ElementCount({}), 1U);
  EXPECT_EQ(ElementCount({3, 4}), 12U);
  EXPECT_EQ(ElementCount({int64_t{1} << 62, 0, int64_t{1} << 62}), 0U);
  EXPECT_EQ(ElementCount({int64_t{1} << 62, 8}), kTooMany);
  EXPECT_EQ(ElementCount({-1}), kTooMany);
  EXPECT_EQ(DataBytes(ElementType("int4"), 3), 2U);
  EXPECT_EQ(DataBytes(ElementType("float6e2m3"), 5), 4U);
  EXPECT_EQ(DataBytes(ElementType("double"), uint64_t{1} << 62), kTooMany);
}

}  // namespace
}  // namespace onnx_expose
