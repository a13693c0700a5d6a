#include "report/slice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "onnx_expose/element_types.h"
#include "tests/support/tensors.h"

namespace onnx_expose {
namespace {

using ::testing::ElementsAre;
using testing::StringsOf;
using testing::TensorOf;

// [[0 1 2 3] [4 5 6 7] [8 9 10 11]]
Tensor Numbers() {
  std::vector<int32_t> numbers(12);
  std::iota(numbers.begin(), numbers.end(), 0);
  return TensorOf<int32_t>(ElementType("int32"), {3, 4}, numbers);
}

std::vector<int32_t> ElementsOf(const Tensor& tensor) {
  std::vector<int32_t> numbers(tensor.bytes.size() / sizeof(int32_t));
  if (!numbers.empty()) {
    std::memcpy(numbers.data(), tensor.bytes.data(), tensor.bytes.size());
  }
  return numbers;
}

TEST(Slice, AsNumpyDoes) {
  EXPECT_THAT(ElementsOf(*Slice(Numbers(), "1")), ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(Slice(Numbers(), "1")->shape, ElementsAre(4));
  EXPECT_THAT(ElementsOf(*Slice(Numbers(), ":,1:3")),
              ElementsAre(1, 2, 5, 6, 9, 10));
  EXPECT_THAT(Slice(Numbers(), ":,1:3")->shape, ElementsAre(3, 2));
  EXPECT_THAT(ElementsOf(*Slice(Numbers(), "-1,-2:")), ElementsAre(10, 11));
  EXPECT_THAT(ElementsOf(*Slice(Numbers(), "2,3")), ElementsAre(11));
  EXPECT_TRUE(Slice(Numbers(), "2,3")->shape.empty());
  EXPECT_THAT(Slice(Numbers(), "3:,0")->shape, ElementsAre(0));
  EXPECT_THAT(Slice(Numbers(), "0:99")->shape, ElementsAre(3, 4));
}

TEST(Slice, WhatIsNone) {
  for (const char* text : {"", "3", "-4", "a", "0,0,0", "1:x", "::2", "1,",
                           "99999999999999999999", " 1", "0,,1"}) {
    EXPECT_FALSE(Slice(Numbers(), text)) << text;
  }
  EXPECT_FALSE(Slice(StringsOf({"a", "b"}), "0"));
}

TEST(Slice, OfHalfBytes) {
  // int4: 1, -1, 2, -2
  const Tensor packed =
      MakeTensor(ElementType("int4"), {4}, {std::byte{0xf1}, std::byte{0xe2}});
  const Tensor part = *Slice(packed, "1:3");
  EXPECT_EQ(part.type, ElementType("int8"));
  EXPECT_THAT(part.bytes, ElementsAre(std::byte{0xff}, std::byte{2}));
}

}  // namespace
}  // namespace onnx_expose
