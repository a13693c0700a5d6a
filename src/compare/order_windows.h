#ifndef ONNX_EXPOSE_COMPARE_ORDER_WINDOWS_H_
#define ONNX_EXPOSE_COMPARE_ORDER_WINDOWS_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace onnx_expose {

// What a first pass over numbers >= 0 looks at: the upper bits of a double,
// which are in the numbers' order. Vector code.

// Of the sign, the exponent and 4 bits of the mantissa.
constexpr size_t kUpperBuckets = size_t{1} << 15;
// A number goes to one of several tables, so that the same bucket twice in a
// row doesn't wait for itself.
constexpr size_t kUpperTables = 4;

// tables[table * kUpperBuckets + bucket]: adds how many there are.
void CountUpper(const double* numbers, size_t size, uint32_t* tables);

constexpr size_t kWindows = 4;

inline int32_t UpperHalf(double number) {
  return static_cast<int32_t>(std::bit_cast<uint64_t>(number) >> 32);
}

// Ranges of numbers by their upper half, both ends in the range. The first one
// is greater than 0: zero is in none of them.
struct Windows {
  std::array<int32_t, kWindows> first{};
  std::array<int32_t, kWindows> last{};
  bool Has(size_t window, double number) const {
    const int32_t upper = UpperHalf(number);
    return upper >= first[window] && upper <= last[window];
  }
};

// Copies the numbers that are in a window to `kept`, which has room for them,
// in any order, and adds how many are less than each window. Returns
// the end of what was kept.
constexpr size_t kWindowStep = 8;
double* KeepInWindows(const double* numbers, size_t size,
                      const Windows& windows,
                      std::array<uint64_t, kWindows>& below, double* kept);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_ORDER_WINDOWS_H_
