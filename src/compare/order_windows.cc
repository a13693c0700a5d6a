#include "compare/order_windows.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "compare/vector_lanes.h"
#include "tensor/vectorized.h"

namespace onnx_expose {
namespace {

using Upper =
    int32_t __attribute__((vector_size(kWindowStep * sizeof(int32_t))));
using Marks =
    uint32_t __attribute__((vector_size(kWindowStep * sizeof(uint32_t))));

// Bytes of a number, which lie in the order of x86-64 and ARM.
constexpr size_t kQuarter = 6;

size_t BucketOf(const double* number) {
  uint16_t bits = 0;
  std::memcpy(&bits, reinterpret_cast<const char*>(number) + kQuarter,
              sizeof(bits));
  return bits;
}

// Groups of kWindowStep numbers: a lane of a vector of marks has a bit for
// each.
constexpr size_t kGroups = 32;

// Of each group's numbers, where they go when their upper halves are taken.
constexpr std::array<size_t, kWindowStep> kFrom = {0, 1, 4, 5, 2, 3, 6, 7};

ONNX_EXPOSE_INLINE Upper UpperHalves(const double* numbers) {
  const auto low = LoadVector<Upper>(numbers);
  const auto high = LoadVector<Upper>(numbers + kWindowStep / 2);
  return __builtin_shufflevector(low, high, 1, 3, 9, 11, 5, 7, 13, 15);
}

double* KeepMarked(const double* numbers, const Marks& marks, double* kept) {
  for (size_t k = 0; k < kWindowStep; ++k) {
    for (uint32_t bits = marks[k]; bits != 0; bits &= bits - 1) {
      const auto group = static_cast<size_t>(std::countr_zero(bits));
      *kept++ = numbers[group * kWindowStep + kFrom[k]];
    }
  }
  return kept;
}

}  // namespace

void CountUpper(const double* numbers, size_t size, uint32_t* tables) {
  uint32_t* const second = tables + kUpperBuckets;
  uint32_t* const third = second + kUpperBuckets;
  uint32_t* const fourth = third + kUpperBuckets;
  size_t i = 0;
  for (; i + kUpperTables <= size; i += kUpperTables) {
    ++tables[BucketOf(numbers + i)];
    ++second[BucketOf(numbers + i + 1)];
    ++third[BucketOf(numbers + i + 2)];
    ++fourth[BucketOf(numbers + i + 3)];
  }
  for (; i < size; ++i) ++tables[BucketOf(numbers + i)];
}

ONNX_EXPOSE_VECTORIZED
double* KeepInWindows(const double* numbers, size_t size,
                      const Windows& windows,
                      std::array<uint64_t, kWindows>& below, double* kept) {
  std::array<Upper, kWindows> before, last, reached{};
  for (size_t w = 0; w < kWindows; ++w) {
    before[w] = Upper{} + (windows.first[w] - 1);
    last[w] = Upper{} + windows.last[w];
  }
  size_t i = 0;
  while (i + kWindowStep <= size) {
    const double* from = numbers + i;
    const size_t groups = std::min(kGroups, (size - i) / kWindowStep);
    Marks marks = {};
    Marks mark = Marks{} + 1;
    for (size_t group = 0; group < groups; ++group) {
      const Upper upper = UpperHalves(from + group * kWindowStep);
      Upper in = {};
      for (size_t w = 0; w < kWindows; ++w) {
        const Upper least = upper > before[w];
        reached[w] -= least;  // true is -1
        in |= least & ~(upper > last[w]);
      }
      marks |= (Marks)in & mark;
      mark += mark;
    }
    kept = KeepMarked(from, marks, kept);
    i += groups * kWindowStep;
  }
  for (size_t w = 0; w < kWindows; ++w) {
    below[w] += i;
    for (size_t k = 0; k < kWindowStep; ++k) {
      below[w] -= static_cast<uint64_t>(reached[w][k]);
    }
  }
  for (; i < size; ++i) {
    bool in = false;
    for (size_t w = 0; w < kWindows; ++w) {
      in = in || windows.Has(w, numbers[i]);
      below[w] += UpperHalf(numbers[i]) < windows.first[w] ? 1 : 0;
    }
    if (in) *kept++ = numbers[i];
  }
  return kept;
}

}  // namespace onnx_expose
