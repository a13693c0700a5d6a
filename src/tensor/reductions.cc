#include "tensor/reductions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "onnx_expose/statistics.h"
#include "tensor/vectorized.h"

namespace onnx_expose {
namespace {

// Two accumulators of four lanes hide the latency of an addition. Vectors of
// the compiler, because it may not itself change the order of additions.
constexpr int kBins = Statistics::kBins;
constexpr size_t kLanes = 4;
constexpr size_t kStep = 2 * kLanes;
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));
using Counts = int64_t __attribute__((vector_size(kLanes * sizeof(int64_t))));

}  // namespace

ONNX_EXPOSE_VECTORIZED
BlockSummary Summarize(const double* numbers, size_t size) {
  BlockSummary all{numbers[0], numbers[0], 0, 0, 0};
  const Lanes nothing = {};
  const Lanes first = nothing + numbers[0];
  std::array<Lanes, 2> low = {first, first};
  std::array<Lanes, 2> high = {first, first};
  std::array<Lanes, 2> sum = {};
  std::array<Lanes, 2> squares = {};
  std::array<Counts, 2> zeros = {};
  size_t i = 0;
  for (; i + kStep <= size; i += kStep) {
    for (size_t k = 0; k < 2; ++k) {
      Lanes x;
      std::memcpy(&x, numbers + i + k * kLanes, sizeof(x));
      low[k] = x < low[k] ? x : low[k];
      high[k] = x > high[k] ? x : high[k];
      sum[k] += x;
      squares[k] += x * x;
      zeros[k] -= x == nothing;  // true is -1
    }
  }
  for (size_t k = 0; k < 2; ++k) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      all.min = std::min(all.min, low[k][lane]);
      all.max = std::max(all.max, high[k][lane]);
      all.sum += sum[k][lane];
      all.squares += squares[k][lane];
      all.zeros += static_cast<uint64_t>(zeros[k][lane]);
    }
  }
  for (; i < size; ++i) {
    const double x = numbers[i];
    all.min = std::min(all.min, x);
    all.max = std::max(all.max, x);
    all.sum += x;
    all.squares += x * x;
    all.zeros += x == 0 ? 1 : 0;
  }
  return all;
}

ONNX_EXPOSE_VECTORIZED
Deviations SumDeviations(const double* numbers, size_t size, double mean) {
  std::array<Lanes, 2> sum = {};
  std::array<Lanes, 2> squares = {};
  size_t i = 0;
  for (; i + kStep <= size; i += kStep) {
    for (size_t k = 0; k < 2; ++k) {
      Lanes x;
      std::memcpy(&x, numbers + i + k * kLanes, sizeof(x));
      x -= mean;
      sum[k] += x;
      squares[k] += x * x;
    }
  }
  Deviations all;
  for (size_t k = 0; k < 2; ++k) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      all.sum += sum[k][lane];
      all.squares += squares[k][lane];
    }
  }
  for (; i < size; ++i) {
    const double x = numbers[i] - mean;
    all.sum += x;
    all.squares += x * x;
  }
  return all;
}

ONNX_EXPOSE_VECTORIZED
Specials CountSpecials(const double* numbers, size_t size) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  Specials specials;
  for (size_t i = 0; i < size; ++i) {
    specials.nan += numbers[i] != numbers[i] ? 1 : 0;
    specials.pos_inf += numbers[i] > kLargest ? 1 : 0;
    specials.neg_inf += numbers[i] < -kLargest ? 1 : 0;
  }
  return specials;
}

size_t KeepFinite(double* numbers, size_t size) {
  size_t kept = 0;
  for (size_t i = 0; i < size; ++i) {
    const double x = numbers[i];
    numbers[kept] = x;
    kept += std::abs(x) <= std::numeric_limits<double>::max() ? 1 : 0;
  }
  return kept;
}

namespace {

// A product is faster than a quotient; this much more than the quotient, and a
// number on the edge of a bin doesn't fall short of it.
inline double BinScale(double range) { return kBins / range * (1 + 0x1p-51); }

inline int32_t Bin(double number, double min, double scale) {
  return std::min(static_cast<int32_t>((number - min) * scale), kBins - 1);
}

}  // namespace

size_t BinOf(double number, double min, double range) {
  return static_cast<size_t>(Bin(number, min, BinScale(range)));
}

ONNX_EXPOSE_VECTORIZED
void CountBins(const double* numbers, size_t size, double min, double range,
               uint64_t* histogram) {
  const double scale = BinScale(range);
  std::array<int32_t, kBlock> bins;
  for (size_t i = 0; i < size; ++i) bins[i] = Bin(numbers[i], min, scale);
  // Four tables: the same bin twice in a row doesn't wait for itself.
  std::array<std::array<uint32_t, kBins>, 4> counts{};
  size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    for (size_t k = 0; k < 4; ++k)
      ++counts[k][static_cast<size_t>(bins[i + k])];
  }
  for (; i < size; ++i) ++counts[0][static_cast<size_t>(bins[i])];
  for (const auto& table : counts) {
    for (size_t bin = 0; bin < kBins; ++bin) histogram[bin] += table[bin];
  }
}

}  // namespace onnx_expose
