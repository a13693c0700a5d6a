#ifndef ONNX_EXPOSE_TENSOR_CODE_COUNTS_H_
#define ONNX_EXPOSE_TENSOR_CODE_COUNTS_H_

#include <cstdint>
#include <vector>

#include "onnx_expose/tensor.h"

namespace onnx_expose {

// How often each code occurs: all that statistics of types with few codes need
// to know, and faster than number by number.

// Whether it is faster: always for 8 bits or less, for 16 bits if there are
// many elements.
bool CountingPays(const Tensor& tensor);

// By code, as Unpack has them: 256 or 65536 counts.
using CodeCounts = std::vector<uint64_t>;
CodeCounts CountCodes(const Tensor& tensor);

// What each of these codes stands for.
std::vector<double> NumbersOfCodes(int type);

// Position of the first element whose number isn't finite; there must be one.
uint64_t FirstNotFinite(const Tensor& tensor);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_CODE_COUNTS_H_
