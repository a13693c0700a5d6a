#ifndef ONNX_EXPOSE_COMPARE_METRICS_H_
#define ONNX_EXPOSE_COMPARE_METRICS_H_

#include <span>
#include <vector>

#include "compare/expected_order.h"
#include "compare/pair_block.h"
#include "onnx_expose/compare.h"

namespace onnx_expose {

// The metrics of several pairs of tensors as if they were one, on a thread for
// each piece of memory at most; the result doesn't depend on how many. Each
// pair has one shape; its tensors are both of strings or both of numbers.
// `identical` tells whether all bits are the same. Large files are read block
// by block and not kept in memory.
struct MetricsTask {
  Tolerance tolerance;
  double relative_floor = 1e-6;
  bool distribution = true;
  double peak = 0;  // a guess at the greatest |b|, if there is one, saves time
};
Metrics MetricsOf(const std::vector<TensorPair>& pairs, const MetricsTask& task,
                  std::span<WorkerMemory> memory, bool& identical);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_METRICS_H_
