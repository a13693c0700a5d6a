#include "compare/argmax.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "compare/metrics.h"
#include "onnx_expose/element_types.h"
#include "tests/support/tensors.h"

namespace onnx_expose {
namespace {

using testing::TensorOf;

// Their ends lie within blocks and chunks.
constexpr size_t kLongRow = 8 * kBlock + 4321;
constexpr size_t kLongRows = 40;

uint64_t NaiveArgmax(const std::vector<float>& numbers, size_t row) {
  const auto begin =
      numbers.begin() + static_cast<std::ptrdiff_t>(row * kLongRow);
  const auto end = begin + static_cast<std::ptrdiff_t>(kLongRow);
  const auto nan =
      std::find_if(begin, end, [](float x) { return std::isnan(x); });
  return static_cast<uint64_t>(
      (nan != end ? nan : std::max_element(begin, end)) - begin);
}

// As MetricsOf counts them, against the definition.
void ExpectAgreement(const std::vector<float>& x, const std::vector<float>& y) {
  const std::vector<int64_t> shape = {kLongRows, kLongRow};
  const Tensor a = TensorOf<float>(kFloat, shape, x);
  const Tensor b = TensorOf<float>(kFloat, shape, y);
  ASSERT_TRUE(LongRows::AreIn({&a, &b}));
  uint64_t same = 0;
  for (size_t row = 0; row < kLongRows; ++row) {
    same += NaiveArgmax(x, row) == NaiveArgmax(y, row) ? 1 : 0;
  }
  bool identical = true;
  std::vector<WorkerMemory> memory(2);
  const Metrics metrics = MetricsOf({{&a, &b}}, {}, memory, identical);
  EXPECT_FALSE(identical);
  EXPECT_EQ(metrics.argmax_agreement, static_cast<double>(same) / kLongRows);
  EXPECT_GT(same, 0);
  EXPECT_LT(same, kLongRows);
}

TEST(LongRows, TheGreatestAnywhere) {
  std::mt19937 random(1);
  std::vector<float> x(kLongRows * kLongRow);
  for (float& number : x) number = -1 - static_cast<float>(random() % 1000);
  std::vector<float> y = x;
  for (size_t row = 0; row < kLongRows; ++row) {
    // Several that are greatest, in parts of equal and of other blocks, and
    // where a row begins and ends.
    for (size_t i = 0; i < 3; ++i) {
      const size_t places[] = {random() % kLongRow, random() % 8,
                               kLongRow - 1 - random() % 8};
      const size_t at = row * kLongRow + places[random() % 3];
      x[at] = 0;
      if (row % 3 != 0) y[at] = 0;
    }
    if (row % 3 == 0) y[row * kLongRow + random() % kLongRow] = 0;
    if (row % 5 == 0) y[row * kLongRow + random() % kLongRow] = -0.5F;
  }
  ExpectAgreement(x, y);
}

TEST(LongRows, NotFinite) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  std::mt19937 random(2);
  std::vector<float> x(kLongRows * kLongRow);
  for (float& number : x) number = static_cast<float>(random() % 1000);
  std::vector<float> y = x;
  for (size_t row = 0; row < kLongRows; ++row) {
    const size_t at = row * kLongRow + random() % kLongRow;
    const size_t other = row * kLongRow + random() % kLongRow;
    x[at] = row % 2 == 0 ? kNan : kInfinity;
    y[row % 3 == 0 ? other : at] = row % 4 == 0 ? kNan : kInfinity;
    y[row * kLongRow] = -kInfinity;
  }
  ExpectAgreement(x, y);
}

}  // namespace
}  // namespace onnx_expose
