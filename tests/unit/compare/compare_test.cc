#include "onnx_expose/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "onnx_expose/channels.h"
#include "tests/support/tensors.h"

namespace onnx_expose {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::TensorOf;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Values in memory.
class Values : public ValueSource {
 public:
  Values& Add(const std::string& name, std::vector<float> numbers,
              std::optional<std::vector<std::string>> inputs = {}) {
    Entry entry;
    entry.name = name;
    entry.index = static_cast<int>(entries_.size());
    entry.inputs = std::move(inputs);
    entries_.push_back(std::move(entry));
    Data data;
    data.tensor =
        TensorOf<float>(1, {static_cast<int64_t>(numbers.size())}, numbers);
    data_.push_back(std::move(data));
    return *this;
  }

  const std::string& path() const override { return path_; }
  const std::vector<Entry>& entries() const override { return entries_; }
  Data Read(size_t entry) const override { return data_[entry]; }

 private:
  std::string path_ = "memory";
  std::vector<Entry> entries_;
  std::vector<Data> data_;
};

std::vector<std::string> FirstNames(const CompareResult& result) {
  std::vector<std::string> names;
  for (const size_t i : result.first_divergence) {
    names.push_back(result.values[i].name_a);
  }
  return names;
}

std::vector<std::string> PairNames(const CompareResult& result) {
  std::vector<std::string> names;
  for (const ComparedValue& value : result.values) {
    names.push_back(value.name_a + "=" + value.name_b);
  }
  return names;
}

TEST(Compare, VerdictsOfOneValue) {
  const auto verdict = [](std::vector<float> a, std::vector<float> b) {
    const CompareResult result = CompareValues(
        Values().Add("x", std::move(a)), Values().Add("x", std::move(b)), {});
    EXPECT_EQ(result.different, result.values[0].verdict > Verdict::kClose);
    return result.values[0].verdict;
  };
  EXPECT_EQ(verdict({1, 2}, {1, 2}), Verdict::kIdentical);
  EXPECT_EQ(verdict({kNan, kInfinity}, {kNan, kInfinity}), Verdict::kIdentical);
  EXPECT_EQ(verdict({1, 0.0F}, {1, -0.0F}), Verdict::kClose);
  EXPECT_EQ(verdict({1, 2.00001F}, {1, 2}), Verdict::kClose);
  EXPECT_EQ(verdict({1, 2.1F}, {1, 2}), Verdict::kDifferent);
  EXPECT_EQ(verdict({1, kNan}, {1, 2}), Verdict::kDifferent);
  EXPECT_EQ(verdict({1, kInfinity}, {1, -kInfinity}), Verdict::kDifferent);
  EXPECT_EQ(verdict({1, 2, 3}, {1, 2}), Verdict::kShape);
  EXPECT_EQ(verdict({}, {}), Verdict::kIdentical);
}

TEST(Compare, FirstDivergenceIsWhereInputsAgree) {
  // y and z both come from x; w from both.
  Values a;
  a.Add("x", {1}, {{"in"}}).Add("y", {2}, {{"x"}}).Add("z", {3}, {{"x"}});
  a.Add("w", {5}, {{"y", "z"}});
  Values b;
  b.Add("x", {1}).Add("y", {2}).Add("z", {4}).Add("w", {6});
  EXPECT_THAT(FirstNames(CompareValues(a, b, {})), ElementsAre("z"));
  // B says nothing of what its values come from, but A does.
  EXPECT_THAT(FirstNames(CompareValues(b, a, {})), ElementsAre("z"));
}

TEST(Compare, FirstDivergenceLooksThroughWhatIsNotCompared) {
  Values a;
  a.Add("x", {9}, {{"in"}}).Add("only_a", {1}, {{"x"}});
  a.Add("y", {9}, {{"only_a"}});
  Values b;
  b.Add("x", {1}).Add("y", {1});
  EXPECT_THAT(FirstNames(CompareValues(a, b, {})), ElementsAre("x"));
}

TEST(Compare, FirstDivergenceLooksThroughWhatIsClose) {
  Values a;
  a.Add("x", {9}, {{"in"}}).Add("y", {1.00001F}, {{"x"}});
  a.Add("z", {9}, {{"y"}});
  Values b;
  b.Add("x", {1}).Add("y", {1}).Add("z", {1});
  EXPECT_THAT(FirstNames(CompareValues(a, b, {})), ElementsAre("x"));
}

TEST(Compare, WithoutInputsTheEarliestIsFirst) {
  Values a;
  a.Add("x", {1}).Add("y", {2}).Add("z", {3});
  Values b;
  b.Add("x", {1}).Add("y", {3}).Add("z", {4});
  EXPECT_THAT(FirstNames(CompareValues(a, b, {})), ElementsAre("y"));
  EXPECT_THAT(FirstNames(CompareValues(a, a, {})), IsEmpty());
}

TEST(Compare, PairsByMapOnlyWhenAsked) {
  Values a;
  a.Add("module.x", {1}).Add("y", {2});
  Values b;
  b.Add("x", {1}).Add("y", {2}).Add("q", {3});
  EXPECT_THAT(PairNames(CompareValues(a, b, {})),
              ElementsAre("module.x=", "=x", "y=y", "=q"));
  CompareOptions options;
  options.map = {{"^module\\.(.*)", "\\1"}};
  EXPECT_THAT(PairNames(CompareValues(a, b, options)),
              ElementsAre("module.x=x", "y=y", "=q"));
  options.map = {};
  options.pairs = {{"module.x", "q"}};
  EXPECT_THAT(PairNames(CompareValues(a, b, options)),
              ElementsAre("=x", "module.x=q", "y=y"));
  options.map = {{"(", ""}};
  EXPECT_THROW(CompareValues(a, b, options), Error);
}

TEST(Compare, WhatIsAloneCountsIfItIsAskedFor) {
  Values a;
  a.Add("x", {1});
  Values b;
  b.Add("x", {1}).Add("y", {2});
  CompareOptions options;
  EXPECT_FALSE(CompareValues(a, b, options).different);
  options.require_all = true;
  EXPECT_TRUE(CompareValues(a, b, options).different);
  Values c;
  c.Add("z", {1});
  EXPECT_THROW(CompareValues(a, c, options), Error);
}

TEST(Compare, NamesOfTheQuantiser) {
  Values a;
  a.Add("x", {1}).Add("x_QuantizeLinear_Output", {1});
  a.Add("x_DequantizeLinear_Output", {1}).Add("y_quantized", {1});
  Values b;
  b.Add("x", {1}).Add("y", {1});
  CompareOptions options;
  options.quantized_names = true;
  EXPECT_THAT(PairNames(CompareValues(a, b, options)),
              ElementsAre("x=x", "x_QuantizeLinear_Output=x",
                          "x_DequantizeLinear_Output=x", "y_quantized=y"));
  EXPECT_THAT(PairNames(CompareValues(b, a, options)),
              ElementsAre("x=x", "x=x_QuantizeLinear_Output",
                          "x=x_DequantizeLinear_Output", "y=y_quantized"));
}

TEST(Compare, LaterRulesOfToleranceWin) {
  Values a;
  a.Add("x", {1.5F}).Add("y", {1.5F});
  Values b;
  b.Add("x", {1}).Add("y", {1});
  CompareOptions options;
  ToleranceRule overall;
  overall.atol = 1;
  ToleranceRule of_y;
  of_y.pattern = "=y";
  of_y.atol = 0.1;
  options.tolerances = {overall, of_y};
  CompareResult result = CompareValues(a, b, options);
  EXPECT_EQ(result.values[0].verdict, Verdict::kClose);
  EXPECT_EQ(result.values[1].verdict, Verdict::kDifferent);
  options.tolerances = {of_y, overall};
  EXPECT_FALSE(CompareValues(a, b, options).different);
}

TEST(Compare, EveryLimitHolds) {
  Values a;
  a.Add("x", {1, -1});
  Values b;
  b.Add("x", {1, 1});
  CompareOptions options;
  ToleranceRule rule;
  rule.atol = 10;
  options.tolerances = {rule};
  EXPECT_FALSE(CompareValues(a, b, options).different);
  options.tolerances[0].min_cosine = 0.5;
  EXPECT_TRUE(CompareValues(a, b, options).different);
  options.tolerances[0].min_cosine = -1;
  options.tolerances[0].max_ulp = 5;
  EXPECT_TRUE(CompareValues(a, b, options).different);
  options.tolerances[0].max_ulp = uint64_t{1} << 40;
  EXPECT_FALSE(CompareValues(a, b, options).different);
}

TEST(Compare, StatisticsAlone) {
  CompareOptions options;
  options.statistics_only = true;
  const auto different = [&](std::vector<float> a, std::vector<float> b) {
    return CompareValues(Values().Add("x", std::move(a)),
                         Values().Add("x", std::move(b)), options)
        .different;
  };
  EXPECT_FALSE(different({1, 2, 3}, {3, 2, 1}));
  EXPECT_TRUE(different({1, 2, 3}, {1, 2, 4}));
  EXPECT_TRUE(different({1, kNan, 3}, {1, 2, 3}));
  EXPECT_TRUE(different({1, 2}, {1, 2, 2}));
}

TEST(Compare, SuggestionsAreByContent) {
  std::vector<float> one;
  std::vector<float> other;
  for (int i = 0; i < 100; ++i) {
    one.push_back(static_cast<float>(i * 7919 % 101));
    other.push_back(static_cast<float>(i * 104729 % 103));
  }
  Values a;
  a.Add("p", one).Add("q", other);
  Values b;
  b.Add("other", other).Add("one", one).Add("short", {1, 2, 3});
  std::vector<std::string> pairs;
  for (const SuggestedPair& pair : SuggestPairs(a, b, {})) {
    pairs.push_back(pair.name_a + "=" + pair.name_b);
    EXPECT_GT(pair.confidence, 0.9);
  }
  EXPECT_THAT(pairs, ::testing::UnorderedElementsAre("p=one", "q=other"));
}

// Four channels of 16 elements, the last axis.
TEST(Channels, DeadWeakAndAlike) {
  class Matrix : public ValueSource {
   public:
    Matrix() : entries_(1) {
      std::vector<float> numbers;
      for (int i = 0; i < 16; ++i) {
        const float x = static_cast<float>(i % 5) - 1.7F;
        const float y = static_cast<float>(i * i % 7) - 2.2F;
        numbers.insert(numbers.end(), {x, 0, y, 2 * x, 0.001F * y * x});
      }
      entries_[0].name = "m";
      data_.tensor = TensorOf<float>(1, {16, 5}, numbers);
    }
    const std::string& path() const override { return entries_[0].name; }
    const std::vector<Entry>& entries() const override { return entries_; }
    Data Read(size_t) const override { return data_; }

   private:
    std::vector<Entry> entries_;
    Data data_;
  };
  const auto values = ChannelsOf(Matrix(), {});
  ASSERT_EQ(values.size(), 1U);
  const std::vector<Channel>& channels = values[0].channels;
  ASSERT_EQ(channels.size(), 5U);
  EXPECT_TRUE(channels[1].dead);
  EXPECT_EQ(channels[1].zeros, 1);
  EXPECT_TRUE(channels[4].weak);
  EXPECT_EQ(channels[3].duplicate_of, 0);
  EXPECT_FALSE(channels[0].dead || channels[0].weak ||
               channels[0].duplicate_of.has_value());
  EXPECT_FALSE(channels[2].duplicate_of.has_value());
}

}  // namespace
}  // namespace onnx_expose
