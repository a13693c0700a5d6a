#include "onnx_expose/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tensor/accumulator.h"
#include "tensor/square_scale.h"

namespace onnx_expose {
namespace {

void Flatten(const Data& data, std::vector<const Tensor*>& tensors) {
  if (data.kind == Data::Kind::kTensor) tensors.push_back(&data.tensor);
  for (const Data& part : data.parts) Flatten(part, tensors);
}

}  // namespace

Statistics ComputeStatistics(const Data& data) {
  std::vector<const Tensor*> tensors;
  Flatten(data, tensors);
  Accumulator plain(1);
  for (const Tensor* tensor : tensors) plain.Add(*tensor);
  const double scale = SquareScale(plain.LargestMagnitude());
  if (scale == 1) {
    for (const Tensor* tensor : tensors) plain.AddToHistogram(*tensor);
    return plain.Result();
  }
  // The same again with numbers around 1.
  Accumulator scaled(scale);
  for (const Tensor* tensor : tensors) scaled.Add(*tensor);
  for (const Tensor* tensor : tensors) scaled.AddToHistogram(*tensor);
  Statistics result = scaled.Result();
  const Statistics exact = plain.Result();
  result.min = exact.min;
  result.max = exact.max;
  result.zeros = exact.zeros;
  return result;
}

double GreatestMagnitude(const Statistics& stats) {
  return stats.finite == 0 ? 0
                           : std::max(std::abs(stats.min), std::abs(stats.max));
}

}  // namespace onnx_expose
