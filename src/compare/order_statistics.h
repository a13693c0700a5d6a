#ifndef ONNX_EXPOSE_COMPARE_ORDER_STATISTICS_H_
#define ONNX_EXPOSE_COMPARE_ORDER_STATISTICS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compare/expected_order.h"

namespace onnx_expose {

// Exact percentiles of numbers >= 0 that are seen several times over, however
// many they are, in little memory. Each pass narrows down where the ones asked
// for lie: by the upper 16 bits of a double, by the next 16, until those that
// are left can be kept and sorted.
//
//   OrderStatistics order(workers);
//   do { ... order.Add(worker, numbers, size) of all ... } while
//   (order.Next()); double p99 = order.Percentile(99);
class OrderStatistics {
 public:
  explicit OrderStatistics(size_t workers);

  // Numbers like those to come: where their percentiles lie the first pass
  // keeps what it sees, and if the others' lie there as well a second one isn't
  // needed. `no_tiny`: none of them lies between 0 and 2^-1000.
  void Expect(std::vector<double> sample, bool no_tiny);

  // Workers may add at the same time, each as itself.
  void Add(size_t worker, const double* numbers, size_t size);
  // `times` zeros.
  void AddZeros(size_t worker, uint64_t times);
  // Ends a pass. Whether another one is needed.
  bool Next();

  // As numpy's percentile: between two elements linearly. 0 of nothing.
  double Percentile(double percent) const;
  // Of the first pass: how many numbers lie in the powers of two from
  // 2^exponent up to 2^(exponent + 1).
  uint64_t CountOf(int exponent) const;

  static constexpr std::array<double, 4> kPercents = {50, 90, 95, 99};

 private:
  // Numbers whose bits from `shift` on are `prefix`.
  struct Target {
    uint64_t prefix = 0;
    uint64_t below = 0;  // numbers less than these
    uint64_t count = 0;
  };
  struct Worker {
    std::vector<uint32_t> tables;             // the first pass
    std::vector<std::vector<uint64_t>> next;  // a bucket list for each target
    std::vector<double> kept;
    uint64_t zeros = 0;
  };

  void AddFirst(size_t worker, const double* numbers, size_t size);
  void EndFirst();
  bool TakeExpected();
  void Narrow(const std::vector<std::vector<uint64_t>>& counts);
  void Choose();
  void Keep();
  double AtRank(uint64_t rank) const;

  std::vector<Worker> workers_;
  std::vector<uint64_t> buckets_;  // of the first pass, all workers
  std::vector<uint8_t> flags_;  // by upper 16 bits: whether a target is there
  std::vector<Target> targets_;
  std::vector<uint64_t> ranks_;
  std::vector<double> values_;  // of ranks_
  uint64_t count_ = 0;
  int shift_ = 64;
  bool keeping_ = false;
  ExpectedOrder expected_;
  bool no_tiny_ = false;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_ORDER_STATISTICS_H_
