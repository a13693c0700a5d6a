#ifndef ONNX_EXPOSE_COMPARE_FLOAT_PAIRS_H_
#define ONNX_EXPOSE_COMPARE_FLOAT_PAIRS_H_

#include <cstddef>
#include <cstdint>

#include "compare/pair_sums.h"

namespace onnx_expose {

// All that is asked of a block of pairs.
struct PairLimits {
  double floor = 0;  // of relative errors; greater than 0
  double atol = 0;
  double rtol = 0;
  double most = 0;  // what atol may turn out to be; at least atol
};

struct FloatPairSums {
  bool finite = false;  // all of a and b; else nothing here counts
  PairSums sums;
  uint64_t equal = 0;    // a = b
  uint64_t outside = 0;  // d > atol + rtol * |b|
  uint32_t max_ulp = 0;
};

// Differences, SumPairs, CountOutside and MaxUlp in one go over float32, the
// type most dumps are of. The bytes may lie anywhere; `d` has room for `size`
// rounded up to a multiple of kFloatStep. Last bits of the sum of squared
// differences depend on whether the machine multiplies and adds at once; the
// products of two floats are exact.
constexpr size_t kFloatStep = 8;
FloatPairSums SumFloatPairs(const std::byte* a, const std::byte* b, size_t size,
                            const PairLimits& limits, double* d);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_FLOAT_PAIRS_H_
