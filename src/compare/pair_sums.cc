#include "compare/pair_sums.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "compare/vector_lanes.h"
#include "tensor/vectorized.h"

namespace onnx_expose {
ONNX_EXPOSE_VECTORIZED
bool Differences(const double* a, const double* b, size_t size, double* d) {
  // x - x is 0 for finite x and NaN for others.
  Lanes bad = {};
  size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    const Lanes x = LoadVector<Lanes>(a + i);
    const Lanes y = LoadVector<Lanes>(b + i);
    const Lanes off = Magnitude(x - y);
    std::memcpy(d + i, &off, sizeof(off));
    bad += (x - x) + (y - y);
  }
  double rest = Total(bad);
  for (; i < size; ++i) {
    d[i] = std::abs(a[i] - b[i]);
    rest += (a[i] - a[i]) + (b[i] - b[i]);
  }
  return rest == 0;
}

ONNX_EXPOSE_VECTORIZED
PairSums SumPairs(const double* a, const double* b, const double* d,
                  size_t size, double floor) {
  const Lanes nothing = {};
  const Lanes least = nothing + floor;
  Lanes abs = {}, max_abs = {}, rel = {}, max_rel = {}, max_a = {}, max_b = {};
  Lanes aa = {}, bb = {}, ab = {}, dd = {};
  size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    const Lanes x = LoadVector<Lanes>(a + i);
    const Lanes y = LoadVector<Lanes>(b + i);
    const Lanes off = LoadVector<Lanes>(d + i);
    const Lanes size_y = Magnitude(y);
    const Lanes relative = off / Greater(size_y, least);
    abs += off;
    max_abs = Greater(off, max_abs);
    rel += relative;
    max_rel = Greater(relative, max_rel);
    max_a = Greater(Magnitude(x), max_a);
    max_b = Greater(size_y, max_b);
    aa += x * x;
    bb += y * y;
    ab += x * y;
    dd += off * off;
  }
  PairSums all{Total(abs),        Greatest(max_abs), Total(rel),
               Greatest(max_rel), Greatest(max_a),   Greatest(max_b),
               Total(aa),         Total(bb),         Total(ab),
               Total(dd)};
  for (; i < size; ++i) {
    const double relative = d[i] / std::max(std::abs(b[i]), floor);
    all.abs += d[i];
    all.max_abs = std::max(all.max_abs, d[i]);
    all.rel += relative;
    all.max_rel = std::max(all.max_rel, relative);
    all.max_a = std::max(all.max_a, std::abs(a[i]));
    all.max_b = std::max(all.max_b, std::abs(b[i]));
    all.aa += a[i] * a[i];
    all.bb += b[i] * b[i];
    all.ab += a[i] * b[i];
    all.dd += d[i] * d[i];
  }
  return all;
}

ONNX_EXPOSE_VECTORIZED
PairSums SumEqual(const double* b, size_t size) {
  Lanes max_b = {}, bb = {};
  size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    const Lanes y = LoadVector<Lanes>(b + i);
    max_b = Greater(Magnitude(y), max_b);
    bb += y * y;
  }
  PairSums all;
  all.max_b = Greatest(max_b);
  all.bb = Total(bb);
  for (; i < size; ++i) {
    all.max_b = std::max(all.max_b, std::abs(b[i]));
    all.bb += b[i] * b[i];
  }
  all.max_a = all.max_b;
  all.aa = all.ab = all.bb;
  return all;
}

ONNX_EXPOSE_VECTORIZED
double GreatestOf(const double* numbers, size_t size) {
  const Lanes nothing = {};
  Lanes most = nothing + numbers[0];
  Counts nan = {};
  size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    const Lanes x = LoadVector<Lanes>(numbers + i);
    most = Greater(x, most);
    nan |= x != x;
  }
  double all = Greatest(most);
  bool any_nan = (nan[0] | nan[1] | nan[2] | nan[3]) != 0;
  for (; i < size; ++i) {
    all = std::max(all, numbers[i]);
    any_nan = any_nan || std::isnan(numbers[i]);
  }
  return any_nan ? std::nan("") : all;
}

ONNX_EXPOSE_VECTORIZED
uint64_t CountZeros(const double* numbers, size_t size) {
  Counts zeros = {};
  size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    zeros -= LoadVector<Lanes>(numbers + i) == 0;  // true is -1
  }
  auto count = static_cast<uint64_t>(Total(zeros));
  for (; i < size; ++i) count += numbers[i] == 0 ? 1 : 0;
  return count;
}

ONNX_EXPOSE_VECTORIZED
uint64_t CountOutside(const double* b, const double* d, size_t size,
                      double atol, double rtol) {
  Counts outside = {};
  size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    const Lanes limit = atol + rtol * Magnitude(LoadVector<Lanes>(b + i));
    outside -= LoadVector<Lanes>(d + i) > limit;  // true is -1
  }
  auto count = static_cast<uint64_t>(Total(outside));
  for (; i < size; ++i) {
    count += d[i] > atol + rtol * std::abs(b[i]) ? 1 : 0;
  }
  return count;
}

}  // namespace onnx_expose
