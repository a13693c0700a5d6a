#ifndef ONNX_EXPOSE_COMPARE_ORDER_KEYS_H_
#define ONNX_EXPOSE_COMPARE_ORDER_KEYS_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace onnx_expose {

// A number >= 0 in 16 bits, in the numbers' order: the exponent and 9 bits of
// the mantissa of what lies from 2^-64 up to 2^64; the least and the greatest
// key stand for all below and all above as well. Vector code takes several
// numbers at a time by their keys.
using Key = int16_t;
constexpr int32_t kKeyShift = 11;  // from the upper half of a double
constexpr size_t kKeys = size_t{1} << 16;

constexpr int32_t kUpperHalfOfOne = 0x3ff00000;
constexpr int32_t kMostFromOne = (int32_t{INT16_MAX} + 1) << kKeyShift;

inline Key KeyOf(double number) {
  const auto upper =
      static_cast<int32_t>(std::bit_cast<uint64_t>(number) >> 32);
  const int32_t from_one =
      std::clamp(upper - kUpperHalfOfOne, -kMostFromOne, kMostFromOne - 1);
  return static_cast<Key>(from_one >> kKeyShift);
}

// The least number with this key, if it isn't the least key.
inline double LeastOf(Key key) {
  const auto upper =
      static_cast<uint64_t>((key << kKeyShift) + kUpperHalfOfOne);
  return std::bit_cast<double>(upper << 32);
}

// Of up to kBlock numbers; those of each full group of kKeyGroup in the order
// of kKeyPlaces.
constexpr size_t kKeyGroup = 16;
constexpr std::array<size_t, kKeyGroup> kKeyPlaces = {
    0, 8, 1, 9, 4, 12, 5, 13, 2, 10, 3, 11, 6, 14, 7, 15};
void KeysOf(const double* numbers, size_t size, Key* keys);

// Adds how many are from 4^(i-32) up to 4^(i-31) to histogram[i]; up to kBlock.
constexpr size_t kPowers = 64;
void CountPowers(const Key* keys, size_t size,
                 std::array<uint64_t, kPowers>& histogram);

constexpr size_t kWindows = 4;

// Ranges of keys, one above the other, both ends in the range. The first one
// is greater than the least key: zero is in none of them.
struct Windows {
  std::array<Key, kWindows> first{};
  std::array<Key, kWindows> last{};
};

// Copies the numbers whose keys are in a window to `kept`, which has room for
// one more, in any order, and adds how many are less than each window. Returns
// the end of what was kept. For up to kBlock numbers.
double* KeepInWindows(const double* numbers, const Key* keys, size_t size,
                      const Windows& windows,
                      std::array<uint64_t, kWindows>& below, double* kept);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_ORDER_KEYS_H_
