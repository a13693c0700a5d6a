#ifndef ONNX_EXPOSE_COMPARE_ARGMAX_H_
#define ONNX_EXPOSE_COMPARE_ARGMAX_H_

#include <cstdint>

#include "onnx_expose/tensor.h"

namespace onnx_expose {

// Whether rows along the last axis say something about classes: numbers of
// rank 1 to 3, as class scores and logits of tokens have it, rows of 2 or more.
bool HasClasses(const Tensor& tensor);

// How many rows, of `rows` from row `first` on, have their greatest element at
// the same place. As numpy's argmax: the first of several, a NaN above all.
uint64_t SameArgmax(const Tensor& a, const Tensor& b, uint64_t first,
                    uint64_t rows);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_ARGMAX_H_
