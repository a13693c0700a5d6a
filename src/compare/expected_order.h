#ifndef ONNX_EXPOSE_COMPARE_EXPECTED_ORDER_H_
#define ONNX_EXPOSE_COMPARE_EXPECTED_ORDER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compare/order_windows.h"

namespace onnx_expose {

// Percentiles in one pass: a sample tells about where they are, what lies there
// is kept, of the rest only how much is less. Does nothing without a sample.
class ExpectedOrder {
 public:
  explicit ExpectedOrder(size_t workers) : workers_(workers) {}

  // `percents` ascend.
  void Expect(std::vector<double> sample,
              std::span<const double, kWindows> percents);
  // Workers may add at the same time, each as itself.
  void Add(size_t worker, const double* numbers, size_t size);
  // Numbers by rank; `ranks` ascend. `zeros` of all numbers are 0, `not_added`
  // of these were never added. Empty if not all of them were kept.
  std::vector<double> ValuesOf(const std::vector<uint64_t>& ranks,
                               uint64_t not_added, uint64_t zeros) const;

 private:
  struct Worker {
    std::array<uint64_t, kWindows> below{};
    // Not initialised, for most of it isn't touched.
    std::unique_ptr<double[]> kept;
    size_t size = 0;
    bool full = false;  // not all was kept
  };
  struct Place {
    size_t part = 0;
    uint64_t rank = 0;  // in it
  };
  static constexpr size_t kParts = 1024;
  static constexpr size_t PartCount() { return kWindows * kParts; }
  size_t PartOf(double number) const;
  template <typename Work>
  void ForKept(const Work& work) const;
  std::vector<Place> PlacesOf(std::span<const uint64_t> ranks,
                              uint64_t not_added) const;

  std::vector<Worker> workers_;
  Windows windows_;
  std::array<int, kWindows> shifts_{};
  bool expecting_ = false;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_EXPECTED_ORDER_H_
