#ifndef ONNX_EXPOSE_COMPARE_PAIR_SUMS_H_
#define ONNX_EXPOSE_COMPARE_PAIR_SUMS_H_

#include <cstddef>
#include <cstdint>

namespace onnx_expose {

// Sums over two blocks of numbers, a[i] and b[i]; vector code. The order of
// additions, and with it the result, is the same on every machine.

// d[i] = |a[i] - b[i]|. Whether all of a and b are finite.
bool Differences(const double* a, const double* b, size_t size, double* d);

struct PairSums {
  double abs = 0;      // of d
  double max_abs = 0;  // of d
  double rel = 0;      // of d / max(|b|, floor)
  double max_rel = 0;
  double max_a = 0;  // magnitudes
  double max_b = 0;
  double aa = 0;  // of a * a
  double bb = 0;
  double ab = 0;
  double dd = 0;
};

// `floor` is greater than 0.
PairSums SumPairs(const double* a, const double* b, const double* d,
                  size_t size, double floor);

// The same where a[i] = b[i]: max_a, max_b, aa, bb, ab.
PairSums SumEqual(const double* b, size_t size);

// The greatest; NaN if there is one. `size` is at least 1.
double GreatestOf(const double* numbers, size_t size);

uint64_t CountZeros(const double* numbers, size_t size);

// How many have d > atol + rtol * |b|.
uint64_t CountOutside(const double* b, const double* d, size_t size,
                      double atol, double rtol);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_PAIR_SUMS_H_
