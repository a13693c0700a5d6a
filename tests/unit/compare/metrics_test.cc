#include "compare/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "compare/parallel.h"
#include "onnx_expose/element_types.h"
#include "tests/support/tensors.h"

namespace onnx_expose {
namespace {

using testing::TensorOf;

// Enough for several chunks, for samples and for blocks that aren't full.
constexpr size_t kRow = 37;
constexpr size_t kRows = 8009;
constexpr size_t kSize = kRow * kRows;
constexpr double kFloor = 1e-6;

template <typename T>
struct Pair {
  std::vector<T> a = std::vector<T>(kSize);
  std::vector<T> b = std::vector<T>(kSize);
};

template <typename T>
Tensor AsTensor(int type, const std::vector<T>& numbers) {
  return TensorOf<T>(
      type, {static_cast<int64_t>(kRows), static_cast<int64_t>(kRow)}, numbers);
}

double Percentile(const std::vector<double>& sorted, double percent) {
  const double at = percent / 100 * static_cast<double>(sorted.size() - 1);
  const auto rank = static_cast<size_t>(at);
  const double low = sorted[rank];
  const double high = sorted[std::min(rank + 1, sorted.size() - 1)];
  return low == high ? low
                     : low + (high - low) * (at - static_cast<double>(rank));
}

template <typename T>
size_t Argmax(const T* row) {
  const T* nan = std::find_if(row, row + kRow, [](T x) { return x != x; });
  if (nan != row + kRow) return static_cast<size_t>(nan - row);
  return static_cast<size_t>(std::max_element(row, row + kRow) - row);
}

int64_t Ordinal(float x) {
  int32_t bits = 0;
  std::memcpy(&bits, &x, sizeof(bits));
  return bits < 0 ? int64_t{INT32_MIN} - bits : bits;
}

// As the definitions have it, one after the other.
template <typename T>
void ExpectDefinitions(const Pair<T>& pair, const Tolerance& tolerance,
                       const Metrics& metrics) {
  std::vector<double> d;
  std::vector<double> magnitudes;
  long double abs = 0, rel = 0, aa = 0, bb = 0, ab = 0;
  double max_rel = 0, peak = 0;
  uint64_t not_finite = 0, same_rows = 0, ulp = 0;
  for (size_t i = 0; i < kSize; ++i) {
    const double x = static_cast<double>(pair.a[i]);
    const double y = static_cast<double>(pair.b[i]);
    if (i % kRow == 0) same_rows += Argmax(&pair.a[i]) == Argmax(&pair.b[i]);
    if (!std::isfinite(x) || !std::isfinite(y)) {
      not_finite += x == y || (std::isnan(x) && std::isnan(y)) ? 0 : 1;
      continue;
    }
    d.push_back(std::abs(x - y));
    magnitudes.push_back(std::abs(y));
    abs += d.back();
    const double relative = d.back() / std::max(std::abs(y), kFloor);
    rel += relative;
    max_rel = std::max(max_rel, relative);
    peak = std::max(peak, std::abs(y));
    aa += static_cast<long double>(x) * x;
    bb += static_cast<long double>(y) * y;
    ab += static_cast<long double>(x) * y;
    if constexpr (std::is_same_v<T, float>) {
      ulp = std::max(ulp, static_cast<uint64_t>(std::abs(Ordinal(pair.a[i]) -
                                                         Ordinal(pair.b[i]))));
    }
  }
  const double atol = tolerance.atol + tolerance.of_peak * peak;
  uint64_t outside = not_finite;
  for (size_t i = 0; i < d.size(); ++i) {
    outside += d[i] > atol + tolerance.rtol * magnitudes[i] ? 1 : 0;
  }
  const auto count = static_cast<long double>(d.size());
  std::sort(d.begin(), d.end());
  EXPECT_EQ(metrics.compared, d.size());
  EXPECT_EQ(metrics.outside, outside);
  EXPECT_EQ(metrics.max_abs, d.back());
  EXPECT_EQ(metrics.max_rel, max_rel);
  const auto near = [](double x, long double y) {
    EXPECT_NEAR(x, static_cast<double>(y),
                1e-12 * static_cast<double>(std::abs(y)));
  };
  near(metrics.mean_abs, abs / count);
  near(metrics.mean_rel, rel / count);
  near(metrics.cosine.value_or(0), ab / std::sqrt(aa) / std::sqrt(bb));
  constexpr double kPercents[] = {50, 90, 95, 99};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(metrics.abs_percentiles[i], Percentile(d, kPercents[i])) << i;
  }
  EXPECT_EQ(metrics.argmax_agreement.value_or(0),
            static_cast<double>(same_rows) / static_cast<double>(kRows));
  if (std::is_same_v<T, float>) {
    EXPECT_EQ(metrics.max_ulp, ulp);
  }
  uint64_t binned = 0;
  for (const uint64_t bin : metrics.histogram) binned += bin;
  EXPECT_EQ(binned, d.size());
}

// The same but for the distribution, which wasn't asked for.
void ExpectRest(const Metrics& all, const Metrics& rest) {
  EXPECT_EQ(rest.compared, all.compared);
  EXPECT_EQ(rest.outside, all.outside);
  EXPECT_EQ(rest.max_abs, all.max_abs);
  EXPECT_EQ(rest.mean_abs, all.mean_abs);
  EXPECT_EQ(rest.max_rel, all.max_rel);
  EXPECT_EQ(rest.cosine, all.cosine);
  EXPECT_EQ(rest.snr_db, all.snr_db);
  EXPECT_EQ(rest.max_ulp, all.max_ulp);
  EXPECT_EQ(rest.worst_index, all.worst_index);
  EXPECT_EQ(rest.argmax_agreement, all.argmax_agreement);
  EXPECT_EQ(rest.abs_percentiles, Metrics().abs_percentiles);
  EXPECT_EQ(rest.histogram, Metrics().histogram);
}

template <typename T>
void Check(int type, const std::function<void(size_t, T&, T&)>& fill) {
  Pair<T> pair;
  for (size_t i = 0; i < kSize; ++i) fill(i, pair.a[i], pair.b[i]);
  const Tensor a = AsTensor(type, pair.a);
  const Tensor b = AsTensor(type, pair.b);
  Tolerance by_peak;
  by_peak.rtol = 1e-3;
  by_peak.of_peak = 1e-4;
  Tolerance narrow;  // few are unsure before the peak is known
  narrow.of_peak = 1e-5;
  Tolerance wide;
  wide.of_peak = 1e9;
  for (const auto& [tolerance, workers] :
       {std::pair(by_peak, 1), {by_peak, 3}, {narrow, 2}, {wide, 2}}) {
    bool identical = true;
    std::vector<WorkerMemory> memory(static_cast<size_t>(workers));
    const Metrics metrics =
        MetricsOf({{&a, &b}}, {tolerance, kFloor}, memory, identical);
    EXPECT_FALSE(identical);
    ExpectDefinitions(pair, tolerance, metrics);
    const MetricsTask rest{tolerance, kFloor, false, 4};
    ExpectRest(metrics, MetricsOf({{&a, &b}}, rest, memory, identical));
  }
}

class Noise {
 public:
  double Next() { return normal_(random_); }

 private:
  std::mt19937 random_{1};
  std::normal_distribution<double> normal_;
};

TEST(Metrics, NoiseEverywhere) {
  Noise noise;
  Check<float>(kFloat, [&](size_t, float& a, float& b) {
    a = static_cast<float>(noise.Next());
    b = a + static_cast<float>(1e-3 * noise.Next());
  });
}

// Next to none of the differences is near the limit.
TEST(Metrics, NothingInCommon) {
  Noise noise;
  Check<float>(kFloat, [&](size_t, float& a, float& b) {
    a = static_cast<float>(noise.Next());
    b = static_cast<float>(noise.Next());
  });
  Check<double>(kDouble, [&](size_t, double& a, double& b) {
    a = noise.Next();
    b = noise.Next();
  });
}

TEST(Metrics, DoublesWithTinyDifferences) {
  Noise noise;
  Check<double>(kDouble, [&](size_t i, double& a, double& b) {
    a = 1e-5 * noise.Next();
    b = i % 3 == 0 ? a : a + (i % 3 == 1 ? 1e-9 : 0) * noise.Next();
    if (i % 3 == 2) a = 0, b = 5e-324 * static_cast<double>(i % 7);
  });
}

TEST(Metrics, MostlyZerosAndSomethingNotFinite) {
  Noise noise;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Check<float>(kFloat, [&](size_t i, float& a, float& b) {
    a = b = std::max(0.0F, static_cast<float>(noise.Next()));
    if (i % 5 == 0) b += 0.01F;
    if (i % 70001 == 9) a = std::nanf("");
    if (i % 60013 == 9) b = kInfinity;
    if (i == 77) a = b = -kInfinity;
  });
}

TEST(Metrics, FewDifferentDifferences) {
  Check<float>(kFloat, [&](size_t i, float& a, float& b) {
    a = static_cast<float>(i % 11);
    b = a + static_cast<float>(i % 4) * 0.25F;
  });
}

// No sample of a part tells about the whole.
TEST(Metrics, DifferencesThatGrow) {
  Noise noise;
  Check<float>(kFloat, [&](size_t i, float& a, float& b) {
    const double share = static_cast<double>(i) / kSize;
    a = static_cast<float>(noise.Next());
    b = a + static_cast<float>(std::pow(share, 8) * noise.Next());
    if (i == kSize - 1) b = 1000;  // the peak
  });
}

TEST(Metrics, SignsAndDenormals) {
  Check<float>(kFloat, [&](size_t i, float& a, float& b) {
    a = static_cast<float>(i % 9) * (i % 2 == 0 ? 1e-44F : -1e-44F);
    b = static_cast<float>(i % 7) * 1e-44F;
    if (i % 1000 == 0) a = -0.0F, b = 0.0F;
    if (i % 1001 == 0) a = b = 1e-5F;
  });
}

TEST(ParallelFor, TheLowestProblemIsThrown) {
  for (const size_t workers : {1U, 4U}) {
    try {
      ParallelFor(100, workers, [](size_t, size_t i) {
        if (i >= 7) throw std::runtime_error(std::to_string(i));
      });
      FAIL();
    } catch (const std::runtime_error& problem) {
      EXPECT_STREQ(problem.what(), "7");
    }
  }
}

}  // namespace
}  // namespace onnx_expose
