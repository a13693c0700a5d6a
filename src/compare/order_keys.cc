#include "compare/order_keys.h"

#include "compare/vector_lanes.h"
#include "tensor/reductions.h"
#include "tensor/vectorized.h"

namespace onnx_expose {
namespace {

constexpr size_t kVector = 32;  // bytes
using Uppers = int32_t __attribute__((vector_size(kVector)));
using Keys = int16_t __attribute__((vector_size(kVector)));
using Halves = uint16_t __attribute__((vector_size(kVector)));
using Bytes = uint8_t __attribute__((vector_size(kVector)));
using Words = uint64_t __attribute__((vector_size(kVector)));

// The upper halves of 8 numbers, of those at 0, 1, 4, 5, 2, ...: from 2^-64 up
// to 2^64.
ONNX_EXPOSE_INLINE Uppers UpperHalves(const double* numbers) {
  const auto low = LoadVector<Uppers>(numbers);
  const auto high = LoadVector<Uppers>(numbers + kKeyGroup / 4);
  const Uppers x =
      __builtin_shufflevector(low, high, 1, 3, 9, 11, 5, 7, 13, 15);
  const Uppers least = Uppers{} + (kUpperHalfOfOne - kMostFromOne);
  const Uppers most = Uppers{} + (kUpperHalfOfOne + kMostFromOne - 1);
  const Uppers at_least = Greater(x, least);
  return at_least < most ? at_least : most;
}

// Of counts that are 64 at most.
uint64_t SumOf(const Bytes& counts) {
  const auto pairs = (Words)(((Halves)counts & 0xff) + ((Halves)counts >> 8));
  const uint64_t sums = (pairs[0] + pairs[1]) + (pairs[2] + pairs[3]);
  return (sums * 0x0001000100010001) >> 48;  // of all four in the uppermost
}

size_t PowerOf(Key key) {
  constexpr int kKeysOfPower = kKeys / kPowers;
  return static_cast<size_t>((key - INT16_MIN) / kKeysOfPower);
}

// As the bits of a key from its power on.
constexpr uint8_t PowerByte(size_t power) {
  return static_cast<uint8_t>(power ^ (kPowers / 2));
}

constexpr size_t kGroups = 16;

// Where the number of a bit of the marks is: bits of a lane are groups.
constexpr auto kPositions = [] {
  std::array<uint8_t, kGroups * kKeyGroup> positions{};
  for (size_t i = 0; i < positions.size(); ++i) {
    positions[i] =
        static_cast<uint8_t>(i % kGroups * kKeyGroup + kKeyPlaces[i / kGroups]);
  }
  return positions;
}();

ONNX_EXPOSE_INLINE double* KeepMarked(const double* numbers,
                                      const Halves& marks, double* kept) {
  constexpr size_t kWordBits = 64;
  const auto words = (Words)marks;
  for (size_t k = 0; k < kVector / sizeof(uint64_t); ++k) {
    uint64_t bits = words[k];
    const uint8_t* const positions = &kPositions[k * kWordBits];
    const auto keep_lowest = [&] {
      // If there is none the first one, which doesn't count.
      const auto bit = static_cast<size_t>(std::countr_zero(bits));
      *kept = numbers[positions[bit % kWordBits]];
      kept += bits != 0 ? 1 : 0;
      bits &= bits - 1;
    };
    // Two without asking, as many as most words have: to guess wrong how many
    // there are takes longer.
    keep_lowest();
    keep_lowest();
    while (bits != 0) keep_lowest();
  }
  return kept;
}

}  // namespace

ONNX_EXPOSE_VECTORIZED
void KeysOf(const double* numbers, size_t size, Key* keys) {
  // Halves of larger numbers, so that the difference may wrap around.
  const Halves one =
      Halves{} + static_cast<uint16_t>(kUpperHalfOfOne >> kKeyShift);
  size_t i = 0;
  for (; i + kKeyGroup <= size; i += kKeyGroup) {
    const auto low = (Halves)(UpperHalves(numbers + i) >> kKeyShift);
    const auto high =
        (Halves)(UpperHalves(numbers + i + kKeyGroup / 2) << (16 - kKeyShift));
    const Halves both = __builtin_shufflevector(
        low, high, 0, 17, 2, 19, 4, 21, 6, 23, 8, 25, 10, 27, 12, 29, 14, 31);
    const Halves from_one = both - one;
    std::memcpy(keys + i, &from_one, sizeof(from_one));
  }
  for (; i < size; ++i) keys[i] = KeyOf(numbers[i]);
}

// Differences of a block lie within a few powers, but for those that are 0: it
// takes less time to look for one after the other, 32 numbers at once, than to
// look where each belongs.
ONNX_EXPOSE_VECTORIZED
void CountPowers(const Key* keys, size_t size,
                 std::array<uint64_t, kPowers>& histogram) {
  std::array<Bytes, kBlock / kVector> powers;
  Keys greatest = Keys{} + INT16_MIN;
  Bytes zeros = {};
  const Bytes zero = Bytes{} + PowerByte(0);
  const size_t steps = size / kVector;
  for (size_t step = 0; step < steps; ++step) {
    const auto low = LoadVector<Keys>(keys + step * kVector);
    const auto high = LoadVector<Keys>(keys + step * kVector + kKeyGroup);
    greatest = Greater(Greater(low, high), greatest);
    powers[step] = (Bytes)(((low >> 10) & 0x3f) | ((high >> 2) & 0x3f00));
    zeros -= (Bytes)(powers[step] == zero);  // true is -1
  }
  Key most = INT16_MIN;
  for (size_t k = 0; k < kKeyGroup; ++k) most = std::max(most, greatest[k]);
  const uint64_t least = SumOf(zeros);
  histogram[0] += least;
  uint64_t left = steps * kVector - least;
  for (size_t power = PowerOf(most); left > 0; power -= 2) {
    const Bytes upper = Bytes{} + PowerByte(power);
    const Bytes lower = Bytes{} + PowerByte(power - 1);
    Bytes of_upper = {};
    Bytes of_lower = {};
#pragma GCC unroll 4
    for (size_t step = 0; step < steps; ++step) {
      of_upper -= (Bytes)(powers[step] == upper);
      of_lower -= (Bytes)(powers[step] == lower);
    }
    const uint64_t count = SumOf(of_upper);
    histogram[power] += count;
    left -= count;
    if (left == 0) break;
    const uint64_t next = SumOf(of_lower);
    histogram[power - 1] += next;
    left -= next;
  }
  for (size_t i = steps * kVector; i < size; ++i) {
    ++histogram[PowerOf(keys[i])];
  }
}

ONNX_EXPOSE_VECTORIZED
double* KeepInWindows(const double* numbers, const Key* keys, size_t size,
                      const Windows& windows,
                      std::array<uint64_t, kWindows>& below, double* kept) {
  std::array<Keys, kWindows> before, last, reached{};
  for (size_t w = 0; w < kWindows; ++w) {
    before[w] = Keys{} + static_cast<Key>(windows.first[w] - 1);
    last[w] = Keys{} + windows.last[w];
  }
  size_t i = 0;
  while (i + kKeyGroup <= size) {
    const size_t groups = std::min(kGroups, (size - i) / kKeyGroup);
    Halves marks = {};
    Halves mark = Halves{} + 1;
    for (size_t group = 0; group < groups; ++group) {
      const auto key = LoadVector<Keys>(keys + i + group * kKeyGroup);
      Keys in = {};
      for (size_t w = 0; w < kWindows; ++w) {
        const Keys least = key > before[w];
        reached[w] -= least;  // true is -1
        in |= least & ~(key > last[w]);
      }
      marks |= (Halves)in & mark;
      mark += mark;
    }
    kept = KeepMarked(numbers + i, marks, kept);
    i += groups * kKeyGroup;
  }
  for (size_t w = 0; w < kWindows; ++w) {
    below[w] += i;
    for (size_t k = 0; k < kKeyGroup; ++k) {
      below[w] -= static_cast<uint64_t>(reached[w][k]);
    }
  }
  for (; i < size; ++i) {
    bool in = false;
    for (size_t w = 0; w < kWindows; ++w) {
      in = in || (keys[i] >= windows.first[w] && keys[i] <= windows.last[w]);
      below[w] += keys[i] < windows.first[w] ? 1 : 0;
    }
    if (in) *kept++ = numbers[i];
  }
  return kept;
}

}  // namespace onnx_expose
