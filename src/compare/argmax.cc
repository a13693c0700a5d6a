#include "compare/argmax.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "compare/pair_sums.h"
#include "compare/vector_lanes.h"
#include "onnx_expose/element_types.h"
#include "tensor/element_bits.h"
#include "tensor/numbers.h"
#include "tensor/reductions.h"
#include "tensor/vectorized.h"

namespace onnx_expose {
namespace {

constexpr size_t kStep = 8;
using Floats = float __attribute__((vector_size(kStep * sizeof(float))));
using Marks = int32_t __attribute__((vector_size(kStep * sizeof(int32_t))));

float FloatAt(const std::byte* row, uint64_t i) {
  return LoadVector<float>(row + i * sizeof(float));
}

const std::byte* FloatsFrom(const Tensor& tensor, uint64_t first) {
  return tensor.bytes.data() + first * sizeof(float);
}

// The greatest; NaN if there is one.
ONNX_EXPOSE_VECTORIZED
float GreatestFloat(const std::byte* row, uint64_t size) {
  float most = FloatAt(row, 0);
  Floats greatest = Floats{} + most;
  Marks nan = {};
  uint64_t i = 0;
  for (; i + kStep <= size; i += kStep) {
    const auto x = LoadVector<Floats>(row + i * sizeof(float));
    greatest = Greater(x, greatest);
    nan |= x != x;
  }
  bool any_nan = IsAny((Counts)nan);
  for (size_t k = 0; k < kStep; ++k) most = std::max(most, greatest[k]);
  for (; i < size; ++i) {
    const float x = FloatAt(row, i);
    most = std::max(most, x);
    any_nan = any_nan || std::isnan(x);
  }
  return any_nan ? std::numeric_limits<float>::quiet_NaN() : most;
}

// Where the first one is that is `wanted`, or NaN if that is.
ONNX_EXPOSE_VECTORIZED
uint64_t FindFloat(const std::byte* row, uint64_t size, float wanted) {
  const bool nan = std::isnan(wanted);
  const Floats all = Floats{} + wanted;
  uint64_t i = 0;
  for (; i + kStep <= size; i += kStep) {
    const auto x = LoadVector<Floats>(row + i * sizeof(float));
    const Marks found = nan ? x != x : x == all;
    if (IsAny((Counts)found)) break;
  }
  for (; i < size; ++i) {
    const float x = FloatAt(row, i);
    if (nan ? std::isnan(x) : x == wanted) break;
  }
  return i;
}

// Of elements first .. first + size - 1, from `first` on.
uint64_t Argmax(const Tensor& tensor, uint64_t first, uint64_t size) {
  if (tensor.type == kFloat) {
    const std::byte* row = FloatsFrom(tensor, first);
    return FindFloat(row, size, GreatestFloat(row, size));
  }
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
  constexpr int64_t kMostClasses = int64_t{1} << 20;
  return !tensor.shape.empty() && tensor.shape.size() <= 3 &&
         tensor.shape.back() >= 2 && tensor.shape.back() <= kMostClasses &&
         IsFloatType(tensor.type);
}

uint64_t SameArgmax(const TensorPair& pair, uint64_t first, uint64_t rows) {
  const auto size = static_cast<uint64_t>(pair.a->shape.back());
  const bool whole_bytes =
      size * static_cast<uint64_t>(ElementBits(pair.a->type)) % 8 == 0;
  uint64_t same = 0;
  for (uint64_t row = first; row < first + rows; ++row) {
    const bool equal =
        (whole_bytes && SameBits(pair, row * size, size)) ||
        Argmax(*pair.a, row * size, size) == Argmax(*pair.b, row * size, size);
    same += equal ? 1 : 0;
  }
  return same;
}

bool LongRows::AreIn(const TensorPair& pair) {
  // Else a row's ends, which are read again, are most of it.
  constexpr int64_t kLong = 8 * int64_t{kBlock};
  return pair.a->type == kFloat && pair.b->type == kFloat &&
         pair.a->shape.back() >= kLong;
}

LongRows::LongRows(const TensorPair& pair)
    : pair_(pair), a_(ElementCount(pair.a->shape) / kBlock), b_(a_.size()) {}

void LongRows::Note(uint64_t first) {
  a_[first / kBlock] = GreatestFloat(FloatsFrom(*pair_.a, first), kBlock);
  b_[first / kBlock] = GreatestFloat(FloatsFrom(*pair_.b, first), kBlock);
}

// Looks at blocks' maxima in place of the full blocks of the row.
uint64_t LongRows::Argmax(const Tensor& tensor, const Maxima& maxima,
                          uint64_t first, uint64_t size) {
  const uint64_t block = (first + kBlock - 1) / kBlock;
  const uint64_t blocks = (first + size) / kBlock - block;
  const uint64_t begin = block * kBlock;
  const uint64_t end = begin + blocks * kBlock;
  const std::byte* row = FloatsFrom(tensor, first);
  const std::byte* tail = FloatsFrom(tensor, end);
  const auto* of_blocks = reinterpret_cast<const std::byte*>(&maxima[block]);
  std::array<float, 3> parts = {};
  parts[1] = GreatestFloat(of_blocks, blocks);
  parts[0] = begin > first ? GreatestFloat(row, begin - first) : parts[1];
  parts[2] =
      first + size > end ? GreatestFloat(tail, first + size - end) : parts[1];
  const float most =
      GreatestFloat(reinterpret_cast<const std::byte*>(parts.data()), 3);
  const uint64_t in_head = FindFloat(row, begin - first, most);
  if (in_head < begin - first) return in_head;
  const uint64_t found = FindFloat(of_blocks, blocks, most);
  if (found == blocks)
    return end - first + FindFloat(tail, first + size - end, most);
  const uint64_t at = begin + found * kBlock;
  return at - first + FindFloat(FloatsFrom(tensor, at), kBlock, most);
}

uint64_t LongRows::SameArgmax() const {
  // A block that is read again may bring much of the file around it to memory.
  constexpr uint64_t kStay = uint64_t{1} << 20;
  const auto size = static_cast<uint64_t>(pair_.a->shape.back());
  const uint64_t count = ElementCount(pair_.a->shape);
  uint64_t same = 0;
  uint64_t from = 0;
  for (uint64_t at = 0; at < count; at += size) {
    const bool equal =
        Argmax(*pair_.a, a_, at, size) == Argmax(*pair_.b, b_, at, size);
    same += equal ? 1 : 0;
    if (at + size - from < kStay) continue;
    ForgetElements(pair_, from, at + size - from);
    from = at + size;
  }
  return same;
}

}  // namespace onnx_expose
