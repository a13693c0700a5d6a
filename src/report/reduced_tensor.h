#ifndef ONNX_EXPOSE_REPORT_REDUCED_TENSOR_H_
#define ONNX_EXPOSE_REPORT_REDUCED_TENSOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "onnx_expose/tensor.h"
#include "report/view.h"

namespace onnx_expose {

// A tensor made small enough to be looked at: one byte an element, and of long
// axes only some of the elements.
struct ReducedTensor {
  // As many axes as the tensor has: how many elements are left, and how far
  // apart they are. `dims` * `steps` < shape: the rest is cut off.
  std::vector<int64_t> dims;
  std::vector<int64_t> steps;
  // Row-major. 0: NaN, 1: -Inf, 255: +Inf, others: offset + (code - 2) * scale.
  std::string codes;
  double offset = 0;
  double scale = 0;
};

// What is left of each axis so that there are at most `budget` elements (at
// least one an axis): pixels are thinned out down to 12 a side, then channels
// and batch are cut off. `tensor`: numbers, at least one.
struct Reduction {
  std::vector<int64_t> dims;
  std::vector<int64_t> steps;
};
Reduction PlanReduction(const std::vector<int64_t>& shape, View view,
                        uint64_t budget);

// Picks every steps[i]-th element of axis i.
ReducedTensor Reduce(const Tensor& tensor, const Reduction& plan);

// |a - b| of tensors of one shape: of the elements that a picture's element
// stands for, the greatest, so that no difference gets lost. NaN on one side
// only is NaN, equal infinities and NaN on both sides are 0.
ReducedTensor ReduceDifference(const Tensor& a, const Tensor& b,
                               const Reduction& plan);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_REDUCED_TENSOR_H_
