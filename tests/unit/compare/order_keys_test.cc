#include "compare/order_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace onnx_expose {
namespace {

constexpr size_t kMost = 2048;

// Of all sizes, with zeros and what keys don't tell apart.
std::vector<double> Numbers(size_t size) {
  std::mt19937 random(static_cast<uint32_t>(size));
  std::normal_distribution<double> exponent(-10, 20);
  std::vector<double> numbers(size);
  for (double& number : numbers) number = std::exp2(exponent(random));
  constexpr double kSpecial[] = {0,
                                 5e-324,
                                 0x1p-1000,
                                 0x1p-64,
                                 1,
                                 0x1p63,
                                 0x1p64,
                                 0x1.8p200,
                                 0x1p-2,
                                 1.99999,
                                 std::numeric_limits<double>::max()};
  for (size_t i = 0; i < size; i += 7) {
    numbers[i] = kSpecial[random() % std::size(kSpecial)];
  }
  return numbers;
}

const size_t kSizes[] = {0, 1, 15, 16, 31, 32, 33, 300, 1000, 2047, kMost};

TEST(OrderKeys, AscendWithTheNumbers) {
  std::vector<double> numbers = Numbers(kMost);
  std::sort(numbers.begin(), numbers.end());
  for (size_t i = 1; i < kMost; ++i) {
    ASSERT_LE(KeyOf(numbers[i - 1]), KeyOf(numbers[i]));
  }
  for (const double number : numbers) {
    const Key key = KeyOf(number);
    if (key == INT16_MIN) continue;
    ASSERT_LE(LeastOf(key), number);
    ASSERT_EQ(KeyOf(LeastOf(key)), key);
    ASSERT_LT(KeyOf(std::nextafter(LeastOf(key), 0)), key);
  }
  EXPECT_EQ(KeyOf(0), INT16_MIN);
  EXPECT_EQ(KeyOf(0x1p-64), INT16_MIN);
  EXPECT_GT(KeyOf(0x1.01p-64), INT16_MIN);
  EXPECT_EQ(KeyOf(1), 0);
  EXPECT_EQ(KeyOf(std::numeric_limits<double>::infinity()), INT16_MAX);
}

TEST(OrderKeys, SeveralAtATime) {
  for (const size_t size : kSizes) {
    const std::vector<double> numbers = Numbers(size);
    std::vector<Key> keys(size);
    KeysOf(numbers.data(), size, keys.data());
    const size_t groups = size / kKeyGroup * kKeyGroup;
    for (size_t i = 0; i < size; ++i) {
      const size_t from =
          i < groups ? i / kKeyGroup * kKeyGroup + kKeyPlaces[i % kKeyGroup]
                     : i;
      ASSERT_EQ(keys[i], KeyOf(numbers[from])) << size << " " << i;
    }
  }
}

TEST(OrderKeys, PowersOfFour) {
  for (const size_t size : kSizes) {
    const std::vector<double> numbers = Numbers(size);
    std::vector<Key> keys(size);
    KeysOf(numbers.data(), size, keys.data());
    std::array<uint64_t, kPowers> wanted{};
    for (const double number : numbers) {
      const int exponent = number == 0 ? -9999 : std::ilogb(number);
      const int bin = std::clamp((exponent + 64) >> 1, 0, 63);
      ++wanted[static_cast<size_t>(bin)];
    }
    std::array<uint64_t, kPowers> histogram{};
    CountPowers(keys.data(), size, histogram);
    EXPECT_EQ(histogram, wanted) << size;
  }
}

TEST(OrderKeys, WhatIsInWindowsIsKept) {
  Windows windows;
  windows.first = {KeyOf(1e-4), KeyOf(1e-2), KeyOf(3), INT16_MAX};
  windows.last = {KeyOf(1e-3), KeyOf(2e-2), static_cast<Key>(KeyOf(3) - 1),
                  INT16_MAX};
  for (const size_t size : kSizes) {
    const std::vector<double> numbers = Numbers(size);
    std::vector<double> wanted;
    std::array<uint64_t, kWindows> wanted_below{};
    for (const double number : numbers) {
      const Key key = KeyOf(number);
      bool in = false;
      for (size_t w = 0; w < kWindows; ++w) {
        in = in || (key >= windows.first[w] && key <= windows.last[w]);
        wanted_below[w] += key < windows.first[w] ? 1 : 0;
      }
      if (in) wanted.push_back(number);
    }
    std::vector<Key> keys(size);
    KeysOf(numbers.data(), size, keys.data());
    std::vector<double> kept(size + 1);
    std::array<uint64_t, kWindows> below{};
    const double* end = KeepInWindows(numbers.data(), keys.data(), size,
                                      windows, below, kept.data());
    kept.resize(static_cast<size_t>(end - kept.data()));
    std::sort(kept.begin(), kept.end());
    std::sort(wanted.begin(), wanted.end());
    EXPECT_EQ(kept, wanted) << size;
    EXPECT_EQ(below, wanted_below) << size;
  }
}

}  // namespace
}  // namespace onnx_expose
