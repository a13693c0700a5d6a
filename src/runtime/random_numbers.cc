#include "runtime/random_numbers.h"

#include <cmath>

namespace onnx_expose {
namespace {

// fma by name: compilers may or may not make one of a product and a sum.

// The natural logarithm of 0 < x <= 1 by operations that are exact to the last
// bit everywhere: log m = 2 atanh((m - 1) / (m + 1)).
double Log(double x) {
  constexpr double kLog2 = 0x1.62E42FEFA39EFp-1;
  constexpr double kRootOfHalf = 0x1.6A09E667F3BCDp-1;
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < kRootOfHalf) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double sum = 0;
  for (int k = 21; k >= 1; k -= 2) sum = std::fma(sum, square, 1.0 / k);
  return std::fma(exponent, kLog2, 2 * s * sum);
}

}  // namespace

uint64_t RandomNumbers::Next() {
  state_ += 0x9E3779B97F4A7C15;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

uint64_t RandomNumbers::Below(uint64_t count) {
  // The lowest 2^64 mod count numbers would make some results likelier.
  const uint64_t skip = (0 - count) % count;
  uint64_t number = Next();
  while (number < skip) number = Next();
  return number % count;
}

double RandomNumbers::Unit() {
  return static_cast<double>(Next() >> 11) * 0x1p-53;
}

double RandomNumbers::Normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  while (true) {
    const double x = 2 * Unit() - 1;
    const double y = 2 * Unit() - 1;
    const double square = std::fma(x, x, y * y);
    if (square >= 1 || square == 0) continue;
    const double factor = std::sqrt(-2 * Log(square) / square);
    spare_ = y * factor;
    has_spare_ = true;
    return x * factor;
  }
}

}  // namespace onnx_expose
