#include "tensor/square_scale.h"

#include <algorithm>
#include <cmath>

namespace onnx_expose {

double SquareScale(double greatest) {
  // With room for sums of many squares.
  constexpr double kMost = 0x1p480;
  constexpr double kLeast = 0x1p-480;
  if (greatest == 0 || !std::isfinite(greatest)) return 1;
  if (greatest >= kLeast && greatest <= kMost) return 1;
  int exponent = 0;
  std::frexp(greatest, &exponent);
  return std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));
}

}  // namespace onnx_expose
