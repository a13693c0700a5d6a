#ifndef ONNX_EXPOSE_TENSOR_ACCUMULATOR_H_
#define ONNX_EXPOSE_TENSOR_ACCUMULATOR_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

#include "onnx_expose/statistics.h"
#include "onnx_expose/tensor.h"
#include "tensor/code_counts.h"
#include "tensor/reductions.h"

namespace onnx_expose {

// Statistics of tensors one after the other, as if they were one. Two passes:
// every tensor to Add, then every tensor to AddToHistogram.
class Accumulator {
 public:
  // Numbers are multiplied by `scale`, a power of two, before anything else;
  // min and max of the result still are.
  explicit Accumulator(double scale) : scale_(scale) {}

  void Add(const Tensor& tensor);
  void AddToHistogram(const Tensor& tensor);
  Statistics Result() const;
  // Over all Adds so far.
  double LargestMagnitude() const;

 private:
  void AddCounts(const CodeCounts& counts, int type);
  void AddBlock(uint64_t first, size_t size);
  void Merge(const BlockSummary& block, uint64_t size, double mean,
             Deviations deviations);
  void AddCountsToHistogram(int type);
  void Load(const Tensor& tensor, uint64_t first, size_t size);

  double scale_;
  Statistics all_;
  double squares_ = 0;
  double deviations_ = 0;  // squared, from the mean so far
  // The mean so far is first_mean_ + mean_off_: of numbers that lie close
  // together far from zero, a single double would know too little.
  double first_mean_ = 0;
  double mean_off_ = 0;
  std::map<int, CodeCounts>
      counts_;  // by type, until they are in the histogram
  alignas(64) std::array<double, kBlock> block_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_ACCUMULATOR_H_
