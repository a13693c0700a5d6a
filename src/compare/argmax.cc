#include "compare/argmax.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "compare/pair_block.h"
#include "compare/pair_sums.h"
#include "onnx_expose/element_types.h"
#include "tensor/element_bits.h"
#include "tensor/numbers.h"
#include "tensor/reductions.h"

namespace onnx_expose {
namespace {

// Of elements first .. first + size - 1, from `first` on.
uint64_t Argmax(const Tensor& tensor, uint64_t first, uint64_t size) {
  std::array<double, kBlock> block;
  uint64_t best_at = 0;
  double best = -std::numeric_limits<double>::infinity();
  for (uint64_t at = 0; at < size; at += kBlock) {
    const size_t part = std::min<uint64_t>(kBlock, size - at);
    ToDoubles(tensor, first + at, part, block.data());
    const double greatest = GreatestOf(block.data(), part);
    const double* begin = block.data();
    const double* end = begin + part;
    if (std::isnan(greatest)) {
      return at + static_cast<uint64_t>(
                      std::find_if(begin, end,
                                   [](double x) { return std::isnan(x); }) -
                      begin);
    }
    if (greatest <= best) continue;
    best = greatest;
    best_at =
        at + static_cast<uint64_t>(std::find(begin, end, greatest) - begin);
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
  const bool whole_bytes =
      size * static_cast<uint64_t>(ElementBits(a.type)) % 8 == 0;
  uint64_t same = 0;
  for (uint64_t row = first; row < first + rows; ++row) {
    const bool equal =
        (whole_bytes && SameBits({&a, &b}, row * size, size)) ||
        Argmax(a, row * size, size) == Argmax(b, row * size, size);
    same += equal ? 1 : 0;
  }
  return same;
}

}  // namespace onnx_expose
