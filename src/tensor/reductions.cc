#include "tensor/reductions.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "tensor/vectorized.h"

namespace onnx_expose {
namespace {

// Two accumulators of four lanes hide the latency of an addition. Vectors of
// the compiler, because it may not itself change the order of additions.
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
double SquaredDeviations(const double* numbers, size_t size, double mean) {
  std::array<Lanes, 2> sum = {};
  size_t i = 0;
  for (; i + kStep <= size; i += kStep) {
    for (size_t k = 0; k < 2; ++k) {
      Lanes x;
      std::memcpy(&x, numbers + i + k * kLanes, sizeof(x));
      x -= mean;
      sum[k] += x * x;
    }
  }
  double all = 0;
  for (const Lanes& each : sum) {
    for (size_t lane = 0; lane < kLanes; ++lane) all += each[lane];
  }
  for (; i < size; ++i) all += (numbers[i] - mean) * (numbers[i] - mean);
  return all;
}

ONNX_EXPOSE_VECTORIZED
void CountBins(const double* numbers, size_t size, double min, double range,
               int bins, uint64_t* histogram) {
  std::array<int32_t, kBlock> bin;
  for (size_t i = 0; i < size; ++i) {
    // Divided last: exact where a number lies on the edge of a bin.
    const auto at = static_cast<int32_t>((numbers[i] - min) * bins / range);
    bin[i] = std::min(at, bins - 1);
  }
  for (size_t i = 0; i < size; ++i) ++histogram[bin[i]];
}

}  // namespace onnx_expose
