#include "runtime/feed_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/unit/runtime/feed_testing.h"

namespace onnx_expose::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Data Of(Tensor tensor) {
  Data data;
  data.tensor = std::move(tensor);
  return data;
}

template <typename T = uint8_t>
Data Zeros(const std::string& type, std::vector<int64_t> shape) {
  const uint64_t bytes = DataBytes(ElementType(type), ElementCount(shape));
  return Of(TensorOf(type, std::move(shape),
                     std::vector<T>(static_cast<size_t>(bytes) / sizeof(T))));
}

std::string Check(const InputInfo& input, Data data) {
  return Problem([&] { CheckFeed(input, "x.npy", data); });
}

TEST(CheckFeed, WhatFits) {
  const InputInfo input = Input("x", "float", {"N", "3", ""});
  EXPECT_EQ(Check(input, Zeros("float", {2, 3, 4})), "no error");
  EXPECT_EQ(Check(input, Zeros("float", {0, 3, 0})), "no error");
  InputInfo any_rank = input;
  any_rank.dims.reset();
  EXPECT_EQ(Check(any_rank, Zeros("float", {1, 2, 3, 4, 5})), "no error");
  EXPECT_EQ(Check(Input("x", "float", {}), Zeros("float", {})), "no error");
}

TEST(CheckFeed, Type) {
  EXPECT_EQ(Check(Input("x", "float", {"N", "3"}), Zeros("double", {2, 3})),
            "input: x.npy: input 'x' is float[N,3], this is double[2,3]; "
            "x.astype(numpy.float32)");
  const auto hint = [](const char* wanted, const char* given) {
    return Check(Input("x", wanted, {"N"}), Zeros(given, {2}));
  };
  EXPECT_THAT(hint("int64", "int32"), HasSubstr("x.astype(numpy.int64)"));
  EXPECT_THAT(hint("double", "float"), HasSubstr("x.astype(numpy.float64)"));
  EXPECT_THAT(hint("float16", "float"), HasSubstr("x.astype(numpy.float16)"));
  EXPECT_THAT(hint("bool", "uint8"), HasSubstr("x.astype(numpy.bool_)"));
  EXPECT_THAT(hint("complex64", "float"),
              HasSubstr("x.astype(numpy.complex64)"));
  EXPECT_THAT(hint("string", "int64"), HasSubstr("x.astype(str)"));
  EXPECT_THAT(hint("bfloat16", "float"),
              HasSubstr("x.astype(ml_dtypes.bfloat16).view(numpy.uint16)"));
  // float16 has a type in numpy, so that raw bits are a mistake.
  EXPECT_THAT(hint("float16", "uint16"), HasSubstr("this is uint16[2]"));
}

TEST(CheckFeed, Rank) {
  EXPECT_EQ(Check(Input("x", "float", {"N", "3"}), Zeros("float", {3})),
            "input: x.npy: input 'x' is float[N,3], this is float[3]; it has 1 "
            "dim instead of 2; x[numpy.newaxis] puts a dim of 1 in front");
  EXPECT_EQ(Check(Input("x", "float", {"N"}), Zeros("float", {3, 1})),
            "input: x.npy: input 'x' is float[N], this is float[3,1]; it has 2 "
            "dims instead of 1");
}

TEST(CheckFeed, FixedDim) {
  EXPECT_EQ(Check(Input("x", "float", {"N", "3"}), Zeros("float", {2, 4})),
            "input: x.npy: input 'x' is float[N,3], this is float[2,4]; dim 1 "
            "is 4 instead of 3");
}

TEST(CheckFeed, TransposeThatFits) {
  EXPECT_THAT(Check(Input("x", "float", {"N", "3", "224", "224"}),
                    Zeros("float", {1, 224, 224, 3})),
              HasSubstr("dim 1 is 224 instead of 3; x.transpose(0, 3, 1, 2)"));
  EXPECT_THAT(Check(Input("x", "float", {"N", "8", "9", "3"}),
                    Zeros("float", {1, 3, 8, 9})),
              HasSubstr("x.transpose(0, 2, 3, 1)"));
  EXPECT_THAT(Check(Input("x", "float", {"2", "5"}), Zeros("float", {5, 2})),
              HasSubstr("x.transpose(1, 0)"));
  EXPECT_THAT(Check(Input("x", "float", {"2", "5"}), Zeros("float", {5, 3})),
              ::testing::Not(HasSubstr("transpose")));
}

TEST(CheckFeed, RawBits) {
  const auto check = [](const char* wanted, Data data) {
    const InputInfo input = Input("x", wanted, {"N"});
    CheckFeed(input, "x.npy", data);
    EXPECT_EQ(data.tensor.type, input.element_type);
    return Elements<uint8_t>(data.tensor);
  };
  EXPECT_THAT(
      check("bfloat16", Of(TensorOf<uint16_t>("uint16", {1}, {0x3F80}))),
      ElementsAre(0x80, 0x3F));
  EXPECT_THAT(check("float8e5m2", Of(TensorOf<uint8_t>("uint8", {1}, {0x3C}))),
              ElementsAre(0x3C));
  EXPECT_THAT(check("int4", Of(TensorOf<int8_t>("int8", {3}, {-8, 7, -1}))),
              ElementsAre(0x78, 0x0F));
  EXPECT_THAT(check("uint4", Of(TensorOf<uint8_t>("uint8", {2}, {15, 1}))),
              ElementsAre(0x1F));
  EXPECT_THAT(
      check("uint2", Of(TensorOf<uint8_t>("uint8", {5}, {3, 2, 1, 0, 3}))),
      ElementsAre(0x1B, 0x03));
  EXPECT_THAT(check("float4e2m1", Of(TensorOf<uint8_t>("uint8", {2}, {7, 15}))),
              ElementsAre(0xF7));
}

TEST(CheckFeed, RawBitsThatAreTooLarge) {
  EXPECT_EQ(Check(Input("x", "uint4", {"N"}),
                  Of(TensorOf<uint8_t>("uint8", {2}, {15, 16}))),
            "input: x.npy: input 'x' is uint4[N], this is uint8[2]; element 1 "
            "is 16, too large for 4 bits");
  EXPECT_THAT(
      Check(Input("x", "int4", {"N"}), Of(TensorOf<int8_t>("int8", {1}, {-9}))),
      HasSubstr("element 0 is -9"));
  EXPECT_THAT(Check(Input("x", "int4", {"N"}),
                    Of(TensorOf<int16_t>("int16", {1}, {1}))),
              HasSubstr("one uint8 or int8 an element"));
}

TEST(CheckFeed, Kind) {
  InputInfo sequence = Input("s", "float", {});
  sequence.kind = InputInfo::Kind::kSequence;
  sequence.dims.reset();
  sequence.type = "seq(float)";
  EXPECT_THAT(Check(sequence, Zeros("float", {1})),
              HasSubstr("input 's' is seq(float), this is float[1]"));
  Data parts;
  parts.kind = Data::Kind::kSequence;
  EXPECT_THAT(Check(Input("x", "float", {"N"}), parts),
              HasSubstr("input 'x' is float[N], this is seq("));

  CheckFeed(sequence, "s.pb", parts);
  EXPECT_EQ(parts.element_type, ElementType("float"));
  parts.parts.push_back(Zeros("float", {2}));
  EXPECT_EQ(Check(sequence, parts), "no error");
  parts.parts.push_back(Zeros("int64", {2}));
  EXPECT_THAT(Check(sequence, parts), HasSubstr("this is int64[2]"));
}

TEST(CheckFeed, None) {
  InputInfo input = Input("x", "float", {"N"});
  Data none;
  none.kind = Data::Kind::kNone;
  EXPECT_THAT(Check(input, none), HasSubstr("input 'x' is float[N], this is"));
  input.optional = true;
  EXPECT_EQ(Check(input, none), "no error");
  EXPECT_EQ(Check(input, Zeros("float", {2})), "no error");
  EXPECT_THAT(Check(input, Zeros("int64", {2})), HasSubstr("this is int64[2]"));
}

}  // namespace
}  // namespace onnx_expose::testing
