#ifndef ONNX_EXPOSE_TENSOR_CODE_COUNTS_H_
#define ONNX_EXPOSE_TENSOR_CODE_COUNTS_H_

#include <array>
#include <cstdint>

#include "onnx_expose/tensor.h"
#include "tensor/numbers.h"

namespace onnx_expose {

// How often each code occurs in a tensor of a type of 8 bits or less: all that
// statistics need to know, and much faster than one by one.
using CodeCounts = std::array<uint64_t, 256>;
CodeCounts CountCodes(const Tensor& tensor);

// Position of the first element whose value isn't finite; there must be one.
uint64_t FirstNotFinite(const Tensor& tensor, const CodeValues& values);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_CODE_COUNTS_H_
