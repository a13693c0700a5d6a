#include "onnx_expose/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "onnx_expose/element_types.h"
#include "tensor/numbers.h"
#include "tests/support/tensors.h"

namespace onnx_expose {
namespace {

using testing::DataOf;
using testing::FloatsOf;
using testing::TensorOf;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The same, number by number in long double.
Statistics Slow(const std::vector<double>& numbers) {
  Statistics stats;
  stats.count = numbers.size();
  long double sum = 0;
  long double squares = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const double x = numbers[i];
    if (!std::isfinite(x)) {
      (std::isnan(x) ? stats.nan : x > 0 ? stats.pos_inf : stats.neg_inf) += 1;
      if (!stats.first_bad) stats.first_bad = i;
      continue;
    }
    stats.min = stats.finite == 0 ? x : std::min(stats.min, x);
    stats.max = stats.finite == 0 ? x : std::max(stats.max, x);
    stats.zeros += x == 0 ? 1 : 0;
    stats.finite += 1;
    sum += x;
    squares += static_cast<long double>(x) * x;
  }
  if (stats.finite == 0) return stats;
  const long double mean = sum / stats.finite;
  long double deviations = 0;
  for (const double x : numbers) {
    if (std::isfinite(x)) deviations += (x - mean) * (x - mean);
  }
  stats.mean = static_cast<double>(mean);
  stats.std = static_cast<double>(std::sqrt(deviations / stats.finite));
  stats.l2 = static_cast<double>(std::sqrt(squares));
  return stats;
}

void ExpectClose(double a, double b, double scale) {
  EXPECT_LE(std::abs(a - b), 1e-12 * scale) << a << " " << b;
}

void ExpectRight(const Tensor& tensor) {
  SCOPED_TRACE(ElementName(tensor.type));
  const uint64_t count = ElementCount(tensor.shape);
  std::vector<double> numbers(count);
  ToDoubles(tensor, 0, count, numbers.data());
  const Statistics expected = Slow(numbers);
  const Statistics stats = ComputeStatistics(DataOf(tensor));
  EXPECT_EQ(stats.count, expected.count);
  EXPECT_EQ(stats.finite, expected.finite);
  EXPECT_EQ(stats.min, expected.min);
  EXPECT_EQ(stats.max, expected.max);
  EXPECT_EQ(stats.zeros, expected.zeros);
  EXPECT_EQ(stats.nan, expected.nan);
  EXPECT_EQ(stats.pos_inf, expected.pos_inf);
  EXPECT_EQ(stats.neg_inf, expected.neg_inf);
  EXPECT_EQ(stats.first_bad, expected.first_bad);
  const double largest = std::max(std::abs(stats.min), std::abs(stats.max));
  ExpectClose(stats.mean, expected.mean, largest);
  ExpectClose(stats.std, expected.std, expected.std);
  ExpectClose(stats.l2, expected.l2, expected.l2);
  EXPECT_EQ(std::accumulate(stats.histogram.begin(), stats.histogram.end(),
                            uint64_t{0}),
            stats.finite);
}

// Whole blocks, part of one, a few; for types of 16 bits also enough for the
// way by counting.
constexpr size_t kSizes[] = {1, 7, 8, 2047, 2048, 2049, 10000, 600001};

TEST(Statistics, OfRandomBitsOfEveryType) {
  std::mt19937_64 random(7);
  for (int type = 1; IsElementType(type); ++type) {
    if (ElementBits(type) == 0) continue;
    // Bits of a double may be any number: their squares overflow long double.
    if (ElementBits(type) >= 64) continue;
    for (const size_t size : kSizes) {
      std::vector<std::byte> bytes(DataBytes(type, size));
      for (std::byte& each : bytes) each = static_cast<std::byte>(random());
      ExpectRight(MakeTensor(type, {static_cast<int64_t>(size)}, bytes));
    }
  }
}

TEST(Statistics, OfDoublesAndInt64) {
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal(1e6, 1e-3);
  for (const size_t size : kSizes) {
    std::vector<double> numbers(size);
    for (double& each : numbers) each = normal(random);
    ExpectRight(
        TensorOf(ElementType("double"), {static_cast<int64_t>(size)}, numbers));
    if (size > 3) numbers[3] = kNan;
    if (size > 5000) numbers[5000] = -kInfinity;
    ExpectRight(
        TensorOf(ElementType("double"), {static_cast<int64_t>(size)}, numbers));
    std::vector<int64_t> integers(size);
    for (int64_t& each : integers) each = static_cast<int64_t>(random());
    ExpectRight(
        TensorOf(ElementType("int64"), {static_cast<int64_t>(size)}, integers));
  }
}

TEST(Statistics, OfNothing) {
  const Statistics stats = ComputeStatistics(DataOf(FloatsOf({})));
  EXPECT_EQ(stats.count, 0U);
  EXPECT_EQ(stats.finite, 0U);
  EXPECT_FALSE(stats.first_bad);
}

TEST(Statistics, OfNothingFinite) {
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  const Statistics stats = ComputeStatistics(DataOf(FloatsOf({nan, nan})));
  EXPECT_EQ(stats.count, 2U);
  EXPECT_EQ(stats.finite, 0U);
  EXPECT_EQ(stats.nan, 2U);
  EXPECT_EQ(stats.first_bad, 0U);
  EXPECT_EQ(stats.histogram[0], 0U);
}

TEST(Statistics, OfAScalar) {
  const Statistics stats = ComputeStatistics(
      DataOf(TensorOf<float>(ElementType("float"), {}, {-2.5F})));
  EXPECT_EQ(stats.count, 1U);
  EXPECT_EQ(stats.min, -2.5);
  EXPECT_EQ(stats.max, -2.5);
  EXPECT_EQ(stats.mean, -2.5);
  EXPECT_EQ(stats.std, 0);
  EXPECT_EQ(stats.l2, 2.5);
  EXPECT_EQ(stats.histogram[0], 1U);
}

TEST(Statistics, OfStringsIsTheirNumber) {
  const Statistics stats =
      ComputeStatistics(DataOf(testing::StringsOf({"a", "b"})));
  EXPECT_EQ(stats.count, 2U);
  EXPECT_EQ(stats.finite, 0U);
}

TEST(Statistics, OfHugeAndTinyDoubles) {
  const int type = ElementType("double");
  Statistics stats = ComputeStatistics(
      DataOf(TensorOf<double>(type, {4}, {1e308, -1e308, 1e308, -1e308})));
  EXPECT_EQ(stats.mean, 0);
  EXPECT_DOUBLE_EQ(stats.std, 1e308);
  EXPECT_EQ(stats.l2, kInfinity);  // 2e308
  EXPECT_EQ(stats.histogram[0], 2U);
  EXPECT_EQ(stats.histogram[63], 2U);
  stats = ComputeStatistics(
      DataOf(TensorOf<double>(type, {3}, {3e-320, 4e-320, 0})));
  EXPECT_EQ(stats.min, 0);
  EXPECT_EQ(stats.max, 4e-320);
  EXPECT_EQ(stats.l2, 5e-320);
  EXPECT_EQ(stats.zeros, 1U);
  stats = ComputeStatistics(
      DataOf(TensorOf<double>(type, {3}, {1e300, kInfinity, 1e-300})));
  EXPECT_EQ(stats.min, 1e-300);
  EXPECT_EQ(stats.max, 1e300);
  EXPECT_EQ(stats.zeros, 0U);
  EXPECT_EQ(stats.pos_inf, 1U);
  EXPECT_EQ(stats.first_bad, 1U);
}

TEST(Statistics, OfDenormalFloats) {
  const Statistics stats =
      ComputeStatistics(DataOf(FloatsOf({0x1p-149F, -0.0F, 0x1p-149F})));
  EXPECT_EQ(stats.max, 0x1p-149);
  EXPECT_EQ(stats.zeros, 1U);
  EXPECT_DOUBLE_EQ(stats.l2, 0x1p-149 * std::sqrt(2.0));
}

TEST(Statistics, OfComplexNumbersAreOfTheirMagnitude) {
  const Statistics stats = ComputeStatistics(
      DataOf(TensorOf<float>(ElementType("complex64"), {2}, {3, -4, 0, 0})));
  EXPECT_EQ(stats.count, 2U);
  EXPECT_EQ(stats.max, 5);
  EXPECT_EQ(stats.zeros, 1U);
}

TEST(Statistics, OfASequenceAreOfAllItsTensors) {
  const auto infinity = std::numeric_limits<float>::infinity();
  const Data sequence = testing::SequenceOf(
      {DataOf(FloatsOf({1, 2})), DataOf(FloatsOf({3, infinity}))});
  const Statistics stats = ComputeStatistics(sequence);
  EXPECT_EQ(stats.count, 4U);
  EXPECT_EQ(stats.mean, 2);
  EXPECT_EQ(stats.first_bad, 3U);
  EXPECT_EQ(stats.histogram[0], 1U);
  EXPECT_EQ(stats.histogram[32], 1U);
  EXPECT_EQ(stats.histogram[63], 1U);
}

TEST(Statistics, OfASequenceOfBytes) {
  const int type = ElementType("uint8");
  const Statistics stats = ComputeStatistics(
      testing::SequenceOf({DataOf(TensorOf<uint8_t>(type, {2}, {0, 64})),
                           DataOf(TensorOf<uint8_t>(type, {1}, {32}))}));
  EXPECT_EQ(stats.mean, 32);
  EXPECT_EQ(stats.histogram[0], 1U);
  EXPECT_EQ(stats.histogram[32], 1U);
  EXPECT_EQ(stats.histogram[63], 1U);
}

TEST(Statistics, NumbersOnTheEdgeOfABinBelongToTheUpperOne) {
  for (const int64_t range : {3, 6, 64, 100, 448, 999, 6400}) {
    std::vector<int64_t> numbers(static_cast<size_t>(range) + 1);
    std::iota(numbers.begin(), numbers.end(), int64_t{0});
    std::array<uint64_t, Statistics::kBins> expected{};
    for (const int64_t x : numbers)
      ++expected[static_cast<size_t>(std::min(x * 64 / range, int64_t{63}))];
    const Statistics stats = ComputeStatistics(
        DataOf(TensorOf(ElementType("int64"), {range + 1}, numbers)));
    EXPECT_EQ(stats.histogram, expected) << range;
  }
}

}  // namespace
}  // namespace onnx_expose
