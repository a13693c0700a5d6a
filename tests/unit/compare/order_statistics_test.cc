#include "compare/order_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "compare/pair_sums.h"
#include "tensor/reductions.h"

namespace onnx_expose {
namespace {

struct Seen {
  int passes = 0;
  std::vector<double> percentiles;
  uint64_t counted = 0;  // in the histogram
};

// By the workers in turns; `zeros` more are told of.
Seen Look(const std::vector<double>& numbers, const std::vector<double>& sample,
          uint64_t zeros, size_t workers = 2) {
  std::vector<WorkerMemory> memory(workers);
  OrderStatistics order(memory);
  for (size_t at = 0; at < sample.size(); at += kBlock) {
    order.AddSample(sample.data() + at, std::min(kBlock, sample.size() - at));
  }
  order.Expect();
  Seen seen;
  do {
    for (size_t at = 0; at < numbers.size(); at += kBlock) {
      const double* from = numbers.data() + at;
      const size_t size = std::min(kBlock, numbers.size() - at);
      order.Add(at / kBlock % workers, from, size, CountZeros(from, size));
    }
    order.AddZeros(0, zeros);
    ++seen.passes;
  } while (order.Next());
  for (const double percent : OrderStatistics::kPercents) {
    seen.percentiles.push_back(order.Percentile(percent));
  }
  for (const uint64_t count : order.Histogram()) seen.counted += count;
  return seen;
}

std::vector<double> Percentiles(std::vector<double> numbers, uint64_t zeros) {
  numbers.insert(numbers.end(), zeros, 0.0);
  std::sort(numbers.begin(), numbers.end());
  std::vector<double> all;
  for (const double percent : OrderStatistics::kPercents) {
    const double at = percent / 100 * static_cast<double>(numbers.size() - 1);
    const auto rank = static_cast<size_t>(at);
    const double low = numbers[rank];
    const double high = numbers[std::min(rank + 1, numbers.size() - 1)];
    all.push_back(low + (high - low) * (at - static_cast<double>(rank)));
  }
  return all;
}

std::vector<double> Noise(size_t size, double scale) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(0, scale);
  std::vector<double> numbers(size);
  for (double& number : numbers) number = std::abs(normal(random));
  return numbers;
}

// Every seventh.
std::vector<double> SampleOf(const std::vector<double>& numbers) {
  std::vector<double> sample;
  for (size_t i = 0; i < numbers.size(); i += 7) sample.push_back(numbers[i]);
  return sample;
}

void ExpectRight(const Seen& seen, const std::vector<double>& numbers,
                 uint64_t zeros) {
  EXPECT_EQ(seen.percentiles, Percentiles(numbers, zeros));
  EXPECT_EQ(seen.counted, numbers.size() + zeros);
}

TEST(OrderStatistics, OnePassWithASampleOrFewNumbers) {
  const std::vector<double> numbers = Noise(100'003, 1e-5);
  for (const std::vector<double>& sample : {SampleOf(numbers), {}}) {
    const Seen seen = Look(numbers, sample, 0);
    EXPECT_EQ(seen.passes, 1);
    ExpectRight(seen, numbers, 0);
  }
}

TEST(OrderStatistics, ASampleThatMisleads) {
  const std::vector<double> numbers = Noise(100'003, 1e-5);
  for (const std::vector<double>& sample :
       {Noise(999, 1e-3), std::vector<double>(999, 0.0),
        std::vector<double>(999, 1e300)}) {
    const Seen seen = Look(numbers, sample, 0);
    EXPECT_GT(seen.passes, 1);
    ExpectRight(seen, numbers, 0);
  }
}

TEST(OrderStatistics, Zeros) {
  std::vector<double> numbers = Noise(100'003, 1e-5);
  for (size_t i = 0; i < numbers.size(); i += 3) numbers[i] = 0;
  for (const uint64_t zeros : {0U, 50'000U, 100'000U, 300'000U}) {
    for (const std::vector<double>& sample : {SampleOf(numbers), {}}) {
      ExpectRight(Look(numbers, sample, zeros), numbers, zeros);
    }
  }
}

TEST(OrderStatistics, LessThanKeysTellApart) {
  const std::vector<double> numbers = Noise(100'003, 1e-200);
  ExpectRight(Look(numbers, SampleOf(numbers), 5), numbers, 5);
}

TEST(OrderStatistics, FewDifferentNumbers) {
  std::vector<double> numbers(300'000);
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<double>(i * i % 11) / 3;
    if (i % 5 == 0) numbers[i] = 2;
  }
  ExpectRight(Look(numbers, SampleOf(numbers), 1), numbers, 1);
}

TEST(OrderStatistics, NumbersOfFewBitsAmongOthers) {
  std::vector<double> numbers(300'000);
  std::mt19937 random(3);
  for (double& number : numbers) {
    number = static_cast<double>(random() % 40) / 8;
    if (random() % 2 == 0)
      number *= 1 + static_cast<double>(random() % 9) / 8192;
  }
  const Seen seen = Look(numbers, SampleOf(numbers), 0);
  EXPECT_EQ(seen.passes, 1);
  ExpectRight(seen, numbers, 0);
}

TEST(OrderStatistics, MoreThanIsKept) {
  const std::vector<double> numbers(3'300'000, 0.1);
  const Seen seen = Look(numbers, SampleOf(numbers), 0, 1);
  EXPECT_GT(seen.passes, 1);
  ExpectRight(seen, numbers, 0);
}

}  // namespace
}  // namespace onnx_expose
