#include "runtime/random_feeds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "runtime/random_numbers.h"
#include "tests/unit/runtime/feed_testing.h"

namespace onnx_expose::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Tensor Draw(const InputInfo& input, const std::string& rule,
            std::vector<int64_t> shape, uint64_t seed = 0) {
  return RandomData(
             input, shape,
             rule.empty() ? DefaultRule(input) : ParseRandomRule(input, rule),
             seed)
      .tensor;
}

TEST(RandomNumbers, AreSplitMix64) {
  // The first numbers of the reference implementation for seed 1234567.
  RandomNumbers numbers(1234567);
  EXPECT_EQ(numbers.Next(), 6457827717110365317U);
  EXPECT_EQ(numbers.Next(), 3203168211198807973U);
  EXPECT_EQ(numbers.Next(), 9817491932198370423U);
}

// By exact fractions rounded once.
TEST(RandomNumbers, AreTheSameEverywhere) {
  RandomNumbers numbers(0);
  EXPECT_EQ(numbers.Unit(), 0x1.c4415072f63b9p-1);
  EXPECT_EQ(numbers.Normal(), -0x1.eba2d9a0e0595p-5);
  EXPECT_EQ(numbers.Normal(), -0x1.a90828d658fd0p-2);
  EXPECT_EQ(numbers.Below(1000), 444U);
}

TEST(RandomNumbers, NormalIsNormal) {
  RandomNumbers numbers(1);
  constexpr int kCount = 200000;
  double sum = 0;
  double squares = 0;
  double fourths = 0;
  int beyond_2 = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = numbers.Normal();
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
    beyond_2 += std::fabs(x) > 2 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.01);
  EXPECT_NEAR(squares / kCount, 1, 0.01);
  EXPECT_NEAR(fourths / kCount, 3, 0.1);
  EXPECT_NEAR(static_cast<double>(beyond_2) / kCount, 0.0455, 0.003);
}

TEST(RandomData, DefaultsOfFloats) {
  const auto numbers =
      Elements<float>(Draw(Input("x", "float", {"1000"}), "", {1000}));
  ASSERT_EQ(numbers.size(), 1000U);
  double sum = 0;
  for (const float x : numbers) {
    EXPECT_GE(x, 0);
    EXPECT_LE(x, 1);
    sum += static_cast<double>(x);
  }
  EXPECT_NEAR(sum / 1000, 0.5, 0.05);
}

TEST(RandomData, DefaultsOfIntegers) {
  InputInfo input = Input("x", "int64", {"1000"});
  const auto seen = [&] {
    const auto numbers = Elements<int64_t>(Draw(input, "", {1000}));
    return std::set<int64_t>(numbers.begin(), numbers.end());
  };
  EXPECT_THAT(seen(), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  input.index_bound = 3;
  EXPECT_THAT(seen(), ElementsAre(0, 1, 2));
  input.index_bound = 1;
  EXPECT_THAT(seen(), ElementsAre(0));
}

TEST(RandomData, DefaultsOfNarrowTypes) {
  const auto bools =
      Elements<uint8_t>(Draw(Input("x", "bool", {"64"}), "", {64}));
  EXPECT_THAT(std::set<int>(bools.begin(), bools.end()), ElementsAre(0, 1));
  EXPECT_EQ(RuleText(DefaultRule(Input("x", "int2", {"4"}))), "integers(0,2)");
  EXPECT_EQ(RuleText(DefaultRule(Input("x", "int4", {"4"}))), "integers(0,8)");
  InputInfo indices = Input("x", "uint8", {"4"});
  indices.index_bound = 30000;
  EXPECT_EQ(RuleText(DefaultRule(indices)), "integers(0,256)");
}

TEST(RandomData, Words) {
  const Tensor tensor = Draw(Input("x", "string", {"50"}), "", {5, 10});
  ASSERT_EQ(tensor.strings.size(), 50U);
  EXPECT_TRUE(tensor.bytes.empty());
  for (const std::string& word : tensor.strings) {
    EXPECT_THAT(word, ::testing::MatchesRegex("[a-z]+"));
    EXPECT_LE(word.size(), 8U);
  }
  EXPECT_NE(tensor.strings[0], tensor.strings[1]);
  EXPECT_THAT(Draw(Input("x", "string", {"2"}), "constant(a (b))", {2}).strings,
              Each("a (b)"));
}

TEST(RandomData, EveryType) {
  for (int type = 1; IsElementType(type); ++type) {
    const InputInfo input = Input("x", ElementName(type), {"7"});
    const Tensor tensor = Draw(input, "", {7});
    EXPECT_EQ(tensor.type, type);
    EXPECT_THAT(tensor.shape, ElementsAre(7));
    EXPECT_EQ(tensor.bytes.size(), DataBytes(type, 7)) << ElementName(type);
    if (type == ElementType("string")) continue;
    // 7 elements of 4 bits and an empty half of a byte.
    const Tensor constant = Draw(input, "constant(1)", {7});
    EXPECT_EQ(constant.bytes.size(), tensor.bytes.size());
    EXPECT_NE(Elements<uint8_t>(constant),
              Elements<uint8_t>(Draw(input, "constant(0)", {7})))
        << ElementName(type);
  }
}

TEST(RandomData, ConstantsAsBits) {
  const auto bytes = [](const char* type, const char* rule, int64_t count) {
    return Elements<uint8_t>(Draw(Input("x", type, {"N"}), rule, {count}));
  };
  EXPECT_THAT(bytes("bfloat16", "constant(1)", 1), ElementsAre(0x80, 0x3F));
  EXPECT_THAT(bytes("float16", "constant(-2.5)", 1), ElementsAre(0x00, 0xC1));
  EXPECT_THAT(bytes("int4", "constant(-3)", 3), ElementsAre(0xDD, 0x0D));
  EXPECT_THAT(bytes("uint2", "constant(3)", 5), ElementsAre(0xFF, 0x03));
  EXPECT_THAT(bytes("int16", "constant(-2)", 1), ElementsAre(0xFE, 0xFF));
  EXPECT_THAT(bytes("complex64", "constant(1)", 1),
              ElementsAre(0, 0, 0x80, 0x3F, 0, 0, 0x80, 0x3F));
  EXPECT_TRUE(std::isnan(Elements<double>(
      Draw(Input("x", "double", {"1"}), "constant(nan)", {1}))[0]));
}

TEST(RandomData, Integers) {
  const auto numbers = Elements<int64_t>(
      Draw(Input("x", "int64", {"N"}),
           "integers(-9223372036854775808, 9223372036854775807)", {1000}));
  EXPECT_GT(std::set<int64_t>(numbers.begin(), numbers.end()).size(), 999U);
  const auto floats = Elements<float>(
      Draw(Input("x", "float", {"N"}), "integers(-2,1)", {100}));
  EXPECT_THAT(std::set<float>(floats.begin(), floats.end()),
              ElementsAre(-2, -1, 0));
}

TEST(RandomData, NormalWithMeanAndDeviation) {
  const auto numbers = Elements<double>(
      Draw(Input("x", "double", {"N"}), "normal(5,0.1)", {10000}));
  double sum = 0;
  double squares = 0;
  for (const double x : numbers) {
    sum += x;
    squares += (x - 5) * (x - 5);
  }
  EXPECT_NEAR(sum / 10000, 5, 0.01);
  EXPECT_NEAR(std::sqrt(squares / 10000), 0.1, 0.005);
}

TEST(RandomData, ScalarsAndEmptyTensors) {
  EXPECT_EQ(Draw(Input("x", "float", {}), "", {}).bytes.size(), 4U);
  EXPECT_EQ(Draw(Input("x", "float", {"0", "3"}), "", {0, 3}).bytes.size(), 0U);
}

TEST(RandomData, Sequence) {
  InputInfo input = Input("x", "int32", {"N"});
  input.kind = InputInfo::Kind::kSequence;
  const Data data = RandomData(input, {3}, DefaultRule(input), 1);
  EXPECT_EQ(data.kind, Data::Kind::kSequence);
  EXPECT_EQ(data.element_type, ElementType("int32"));
  ASSERT_EQ(data.parts.size(), 2U);
  EXPECT_THAT(data.parts[1].tensor.shape, ElementsAre(3));
  EXPECT_NE(Elements<int32_t>(data.parts[0].tensor),
            Elements<int32_t>(data.parts[1].tensor));
}

TEST(RandomData, WhatCannotBeMadeUp) {
  InputInfo input = Input("m", "float", {});
  input.kind = InputInfo::Kind::kMap;
  input.type = "map(string,float)";
  EXPECT_EQ(Problem([&] { RandomData(input, {}, {}, 0); }),
            "input: input 'm' is map(string,float), which can't be made up at "
            "random; --input 'm=FILE.pb' gives it a value");
  const InputInfo large = Input("x", "float", {"A", "B"});
  EXPECT_THAT(Problem([&] {
                RandomData(large, {int64_t{1} << 40, int64_t{1} << 40}, {}, 0);
              }),
              HasSubstr("input 'x' would have 1099511627776 x 1099511627776 "
                        "elements"));
}

TEST(RandomData, MoreThanThereIsMemory) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer's operator new ends the process instead";
#endif
  const InputInfo large = Input("x", "float", {"A", "B"});
  EXPECT_THAT(Problem([&] {
                RandomData(large, {int64_t{1} << 47, 1}, {}, 0);
              }),
              HasSubstr("not enough memory for input 'x'"));
}

TEST(FeedSeed, EveryPartCounts) {
  const std::set<uint64_t> seeds = {
      FeedSeed(0, "", "x"),  FeedSeed(1, "", "x"),  FeedSeed(0, "", "y"),
      FeedSeed(0, "a", "x"), FeedSeed(0, "ax", ""), FeedSeed(0, "", "ax"),
      FeedSeed(1, "a", "x"), FeedSeed(0, "x", "a")};
  EXPECT_EQ(seeds.size(), 8U);
}

std::string RuleProblem(const char* type, const std::string& rule) {
  const InputInfo input = Input("x", type, {"N"});
  return Problem([&] { ParseRandomRule(input, rule); });
}

TEST(ParseRandomRule, WhatIsNone) {
  EXPECT_EQ(RuleProblem("float", "unifrom(0,1)"),
            "usage: --random x: 'unifrom(0,1)' is none of uniform(0,1), "
            "normal(0,1), integers(0,100), constant(1); did you mean "
            "'uniform'?");
  EXPECT_THAT(RuleProblem("float", "uniform"), HasSubstr("is none of"));
  EXPECT_THAT(RuleProblem("float", "uniform(0,1"), HasSubstr("is none of"));
  EXPECT_THAT(RuleProblem("float", ""), HasSubstr("is none of"));
  EXPECT_THAT(RuleProblem("float", "uniform(1)"), HasSubstr("no two numbers"));
  EXPECT_THAT(RuleProblem("float", "uniform(1,2,3)"),
              HasSubstr("no two numbers"));
  EXPECT_THAT(RuleProblem("float", "uniform(1,)"), HasSubstr("no two numbers"));
  EXPECT_THAT(RuleProblem("float", "uniform(2,1)"),
              HasSubstr("no distribution"));
  EXPECT_THAT(RuleProblem("float", "normal(0,-1)"),
              HasSubstr("no distribution"));
  EXPECT_THAT(RuleProblem("float", "uniform(0,inf)"),
              HasSubstr("no distribution"));
  EXPECT_THAT(RuleProblem("int64", "integers(0.5,2)"),
              HasSubstr("no two whole numbers"));
  EXPECT_THAT(RuleProblem("int64", "integers(5,5)"),
              HasSubstr("there is no integer in 'integers(5,5)'"));
}

TEST(ParseRandomRule, WhatTheTypeCannotHold) {
  EXPECT_EQ(RuleProblem("int64", "uniform(0,1)"),
            "usage: --random x: uniform needs an input of floating-point "
            "numbers, this is int64[N]; integers(0,10) draws whole numbers");
  EXPECT_THAT(RuleProblem("string", "normal(0,1)"),
              HasSubstr("needs an input of floating-point numbers"));
  EXPECT_THAT(RuleProblem("string", "integers(0,1)"),
              HasSubstr("integers need an input of numbers"));
  EXPECT_THAT(RuleProblem("uint8", "integers(0,257)"),
              HasSubstr("uint8 holds 0 to 255, not all of"));
  EXPECT_EQ(RuleProblem("uint8", "integers(0,256)"), "no error");
  EXPECT_THAT(RuleProblem("bool", "constant(2)"),
              HasSubstr("'2' is no bool (0 to 1)"));
  EXPECT_THAT(RuleProblem("int64", "constant(1.5)"), HasSubstr("is no int64"));
  EXPECT_THAT(RuleProblem("float", "constant(one)"),
              HasSubstr("'one' is not a number"));
}

TEST(RuleText, ReadsAsGiven) {
  for (const char* text : {"uniform(0,1)", "normal(-1,0.5)", "constant(1.50)",
                           "integers(0,100)"}) {
    EXPECT_EQ(RuleText(ParseRandomRule(Input("x", "float", {}), text)), text);
  }
}

}  // namespace
}  // namespace onnx_expose::testing
