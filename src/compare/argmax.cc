#include "compare/argmax.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tensor/element_bits.h"
#include "tensor/numbers.h"
#include "tensor/reductions.h"

namespace onnx_expose {
namespace {

// Of elements first .. first + size - 1, from `first` on.
uint64_t Argmax(const Tensor& tensor, uint64_t first, uint64_t size) {
  std::array<double, kBlock> block;
  uint64_t best_at = 0;
  double best = 0;
  for (uint64_t at = 0; at < size; at += kBlock) {
    const size_t part = std::min<uint64_t>(kBlock, size - at);
    ToDoubles(tensor, first + at, part, block.data());
    if (at == 0) best = block[0];
    for (size_t i = 0; i < part; ++i) {
      if (block[i] <= best) continue;
      if (std::isnan(best)) return best_at;
      best = block[i];
      best_at = at + i;
    }
  }
  return best_at;
}

}  // namespace

bool HasClasses(const Tensor& tensor) {
  return !tensor.shape.empty() && tensor.shape.size() <= 3 &&
         tensor.shape.back() >= 2 && IsFloatType(tensor.type);
}

uint64_t SameArgmax(const Tensor& a, const Tensor& b, uint64_t first,
                    uint64_t rows) {
  const auto size = static_cast<uint64_t>(a.shape.back());
  uint64_t same = 0;
  for (uint64_t row = first; row < first + rows; ++row) {
    same += Argmax(a, row * size, size) == Argmax(b, row * size, size) ? 1 : 0;
  }
  return same;
}

}  // namespace onnx_expose
