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

// The upper halves of 8 numbers, from 1.0 on: of those at 0, 1, 4, 5, 2, ....
ONNX_EXPOSE_INLINE Uppers FromOne(const double* numbers) {
  const auto low = LoadVector<Uppers>(numbers);
  const auto high = LoadVector<Uppers>(numbers + kKeyGroup / 4);
  const Uppers x =
      __builtin_shufflevector(low, high, 1, 3, 9, 11, 5, 7, 13, 15) -
      kUpperHalfOfOne;
  const Uppers least = Uppers{} - kMostFromOne;
  const Uppers most = Uppers{} + (kMostFromOne - 1);
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

// Bits of a lane of marks are groups.
double* KeepMarked(const double* numbers, const Halves& marks, double* kept) {
  const auto words = (Words)marks;
  constexpr size_t kLanesOfWord = sizeof(uint64_t) / sizeof(Key);
  for (size_t k = 0; k < kVector / sizeof(uint64_t); ++k) {
    for (uint64_t bits = words[k]; bits != 0; bits &= bits - 1) {
      const auto bit = static_cast<size_t>(std::countr_zero(bits));
      const size_t place = kKeyPlaces[k * kLanesOfWord + bit / 16];
      *kept++ = numbers[bit % 16 * kKeyGroup + place];
    }
  }
  return kept;
}

}  // namespace

ONNX_EXPOSE_VECTORIZED
void KeysOf(const double* numbers, size_t size, Key* keys) {
  size_t i = 0;
  for (; i + kKeyGroup <= size; i += kKeyGroup) {
    const Uppers low = FromOne(numbers + i) >> kKeyShift;
    const Uppers high = FromOne(numbers + i + kKeyGroup / 2)
                        << (16 - kKeyShift);
    const Uppers both = (low & 0xffff) | (high & ~0xffff);
    std::memcpy(keys + i, &both, sizeof(both));
  }
  for (; i < size; ++i) keys[i] = KeyOf(numbers[i]);
}

// Differences of a block lie within a few powers: it takes less time to look
// for one after the other, 32 numbers at once, than to look where each belongs.
ONNX_EXPOSE_VECTORIZED
void CountPowers(const Key* keys, size_t size,
                 std::array<uint64_t, kPowers>& histogram) {
  constexpr uint8_t kLeast = kPowers / 2;  // of a signed number of 6 bits
  std::array<Bytes, kBlock / kVector> powers;
  Keys greatest = Keys{} + INT16_MIN;
  const size_t steps = size / kVector;
  for (size_t step = 0; step < steps; ++step) {
    const auto low = LoadVector<Keys>(keys + step * kVector);
    const auto high = LoadVector<Keys>(keys + step * kVector + kKeyGroup);
    greatest = Greater(Greater(low, high), greatest);
    powers[step] = (Bytes)(((low >> 10) & 0x3f) | ((high >> 2) & 0x3f00));
  }
  Key most = INT16_MIN;
  for (size_t k = 0; k < kKeyGroup; ++k) most = std::max(most, greatest[k]);
  uint64_t left = steps * kVector;
  size_t power = 0;
  for (size_t next = PowerOf(most); left > 0; power = next--) {
    const auto wanted = static_cast<uint8_t>(power ^ kLeast);
    Bytes found = {};
    for (size_t step = 0; step < steps; ++step) {
      found -= (Bytes)(powers[step] == wanted);  // true is -1
    }
    const uint64_t count = SumOf(found);
    histogram[power] += count;
    left -= count;
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
  constexpr size_t kGroups = 16;
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
