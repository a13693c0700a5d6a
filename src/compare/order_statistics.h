#ifndef ONNX_EXPOSE_COMPARE_ORDER_STATISTICS_H_
#define ONNX_EXPOSE_COMPARE_ORDER_STATISTICS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compare/expected_order.h"

namespace onnx_expose {

// Exact percentiles of numbers >= 0 that are seen several times over, however
// many they are, in little memory. Most often the first pass is enough. Else
// each pass narrows down where the ones asked for lie: by the upper 16 bits of
// a double, by the next 16, until those that are left can be kept and sorted.
//
//   OrderStatistics order(memory);
//   do { ... order.Add(worker, numbers, size, zeros) of all ... }
//   while (order.Next()); double p99 = order.Percentile(99);
class OrderStatistics {
 public:
  // A worker for each piece of memory.
  explicit OrderStatistics(std::span<WorkerMemory> memory);

  // Numbers like those to come: where their percentiles lie the first pass
  // keeps what it sees, and if the others' lie there as well a second one isn't
  // needed. Expect comes after the last of them.
  void AddSample(const double* numbers, size_t size);
  void Expect() { expected_.Expect(kPercents); }

  // Up to kBlock numbers, `zeros` of which are 0. Workers may add at the same
  // time, each as itself.
  void Add(size_t worker, const double* numbers, size_t size, uint64_t zeros);
  // `times` zeros.
  void AddZeros(size_t worker, uint64_t times);
  // Ends a pass. Whether another one is needed.
  bool Next();

  // As numpy's percentile: between two elements linearly. 0 of nothing.
  double Percentile(double percent) const;
  // Of the first pass: how many numbers lie in the powers of 4, as
  // Metrics::histogram has it.
  std::array<uint64_t, kPowers> Histogram() const;

  static constexpr std::array<double, 4> kPercents = {50, 90, 95, 99};

 private:
  // Numbers whose bits from `shift` on are `prefix`.
  struct Target {
    uint64_t prefix = 0;
    uint64_t below = 0;  // numbers less than these
    uint64_t count = 0;
  };
  struct Worker {
    std::array<uint64_t, kPowers> histogram{};  // the first pass
    uint64_t zeros = 0;
    uint64_t not_added = 0;                   // of these
    std::vector<uint32_t> tables;             // the second pass
    std::vector<std::vector<uint64_t>> next;  // a bucket list for each target
    std::vector<double> kept;
  };

  void AddFirst(size_t worker, const double* numbers, size_t size,
                uint64_t zeros);
  bool EndFirst();
  void EndSecond();
  uint64_t NotAdded() const;
  void Narrow(const std::vector<std::vector<uint64_t>>& counts);
  void Choose();
  void Keep();
  double AtRank(uint64_t rank) const;

  std::vector<Worker> workers_;
  ExpectedOrder expected_;
  bool first_ = true;           // the first pass
  std::vector<uint8_t> flags_;  // by upper 16 bits: whether a target is there
  std::vector<Target> targets_;
  std::vector<uint64_t> ranks_;
  std::vector<double> values_;  // of ranks_
  uint64_t count_ = 0;
  int shift_ = 64;
  bool keeping_ = false;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_ORDER_STATISTICS_H_
