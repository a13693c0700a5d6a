#ifndef ONNX_EXPOSE_COMPARE_EXPECTED_ORDER_H_
#define ONNX_EXPOSE_COMPARE_EXPECTED_ORDER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compare/order_keys.h"

namespace onnx_expose {

// What a worker needs, from one value to the next: memory that is new each time
// takes longer than what is done with it.
struct WorkerMemory {
  // Not initialised, for most of it isn't touched.
  std::unique_ptr<double[]> kept;
  std::vector<uint32_t> counts;  // by key; 0 between two uses
  // So many bytes of files may stay in memory until the value is done.
  uint64_t of_files = 0;
};

// Percentiles in one pass: a sample tells about where they are, what lies there
// is kept, of the rest only how much is less. Without a sample all is kept.
class ExpectedOrder {
 public:
  explicit ExpectedOrder(std::span<WorkerMemory> memory)
      : memory_(memory), workers_(memory.size()) {}

  // Before anything is added, up to kBlock numbers; Expect ends it. `percents`
  // ascend.
  void AddSample(const double* numbers, size_t size);
  void Expect(std::span<const double, kWindows> percents);

  // Up to kBlock numbers and their keys. Workers may add at the same time, each
  // as itself.
  void Add(size_t worker, const double* numbers, const Key* keys, size_t size);
  // Numbers by rank; `ranks` ascend. `zeros` of all numbers are 0, `not_added`
  // of these were never added. Empty if not all of them were kept.
  std::vector<double> ValuesOf(const std::vector<uint64_t>& ranks,
                               uint64_t not_added, uint64_t zeros) const;

 private:
  struct Worker {
    std::array<uint64_t, kWindows> below{};
    size_t size = 0;
    bool full = false;  // not all was kept
  };
  // Of a rank: its number is at `place` among those with this key.
  struct Place {
    size_t window = 0;
    Key key = 0;
    uint64_t place = 0;
  };
  // Numbers with a key. Differences of integers and of half floats are of few
  // bits, most of them the least with their key: these are only counted.
  struct OfKey {
    Key key = 0;
    uint64_t least = 0;
    std::vector<double> others;
  };
  template <typename Work>
  void ForKept(const Work& work) const;
  // Of the ranks whose numbers were kept.
  std::vector<Place> PlacesOf(std::span<const uint64_t> ranks,
                              uint64_t not_added) const;
  // For each key of `places`, which ascend.
  std::vector<OfKey> NumbersAt(const std::vector<Place>& places) const;

  std::span<WorkerMemory> memory_;
  std::vector<Worker> workers_;
  Windows windows_;
  uint64_t sampled_ = 0;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_EXPECTED_ORDER_H_
