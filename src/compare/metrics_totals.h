#ifndef ONNX_EXPOSE_COMPARE_METRICS_TOTALS_H_
#define ONNX_EXPOSE_COMPARE_METRICS_TOTALS_H_

#include <cstdint>
#include <vector>

#include "compare/order_statistics.h"
#include "compare/pair_chunk.h"
#include "onnx_expose/compare.h"

namespace onnx_expose {

// What the chunks of a comparison come to.
struct Totals {
  bool identical = true;
  double max_a = 0;
  double max_b = 0;
  uint64_t same_argmax = 0;
  bool any_outside = false;  // among the elements compared
};

// Counts and maxima: into `metrics` those that are part of it. `ulp`: there is
// a greatest ULP.
Totals Total(const std::vector<Chunk>& chunks, bool ulp, Metrics& metrics);

// Powers of two with which the largest squares are normal numbers.
Scales ScalesOf(const Totals& totals, double max_abs);

// Means, cosine and ratios from the chunks' sums of scaled numbers.
void FillInSums(const std::vector<Chunk>& chunks, const Scales& scales,
                double max_b, Metrics& metrics);

// Percentiles and the histogram.
void FillInOrder(const OrderStatistics& order, Metrics& metrics);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_METRICS_TOTALS_H_
