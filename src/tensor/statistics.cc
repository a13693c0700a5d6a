#include "onnx_expose/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tensor/accumulator.h"

namespace onnx_expose {
namespace {

// Outside of this a square may not be a normal double.
constexpr double kLargestSquared = 0x1p480;
constexpr double kSmallestSquared = 0x1p-480;

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
  const double largest = plain.LargestMagnitude();
  if (largest == 0 ||
      (largest <= kLargestSquared && largest >= kSmallestSquared)) {
    for (const Tensor* tensor : tensors) plain.AddToHistogram(*tensor);
    return plain.Result();
  }
  // Doubles whose squares aren't: the same again with numbers around 1.
  int exponent = 0;
  std::frexp(largest, &exponent);
  Accumulator scaled(std::ldexp(1.0, std::clamp(-exponent, -1000, 1000)));
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
