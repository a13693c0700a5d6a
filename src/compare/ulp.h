#ifndef ONNX_EXPOSE_COMPARE_ULP_H_
#define ONNX_EXPOSE_COMPARE_ULP_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "onnx_expose/tensor.h"

namespace onnx_expose {

// The greatest number of steps from one floating-point number of the tensors'
// type to the next that lie between a[i] and b[i], for `size` elements from
// `first` on: 0 for +0 and -0. Both tensors have the same type, one of
// IsFloatType; all elements are finite, or else `kept` has the positions, from
// `first` on, of those that are.
uint64_t MaxUlp(const Tensor& a, const Tensor& b, uint64_t first, size_t size,
                std::span<const uint16_t> kept);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_ULP_H_
