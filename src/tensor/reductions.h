#ifndef ONNX_EXPOSE_TENSOR_REDUCTIONS_H_
#define ONNX_EXPOSE_TENSOR_REDUCTIONS_H_

#include <cstddef>
#include <cstdint>

namespace onnx_expose {

// Over blocks small enough for the first-level cache; vector code. The order
// of additions, and with it the result, is the same on every machine.

constexpr size_t kBlock = 2048;

struct BlockSummary {
  double min = 0;
  double max = 0;
  double sum = 0;
  double squares = 0;  // not finite if one of the numbers isn't
  uint64_t zeros = 0;
};

// `size` is at least 1.
BlockSummary Summarize(const double* numbers, size_t size);

// Of x - mean; their plain sum tells by how much the mean was rounded.
struct Deviations {
  double sum = 0;
  double squares = 0;
};
Deviations SumDeviations(const double* numbers, size_t size, double mean);

struct Specials {
  uint64_t nan = 0;
  uint64_t pos_inf = 0;
  uint64_t neg_inf = 0;
  bool any() const { return nan + pos_inf + neg_inf > 0; }
};
Specials CountSpecials(const double* numbers, size_t size);

// Moves the finite numbers to the front; how many.
size_t KeepFinite(double* numbers, size_t size);

// Which of the Statistics::kBins bins between min and min + range, which is
// more than 0, a number is in.
size_t BinOf(double number, double min, double range);

// Adds the bins of all numbers to a histogram.
void CountBins(const double* numbers, size_t size, double min, double range,
               uint64_t* histogram);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_REDUCTIONS_H_
