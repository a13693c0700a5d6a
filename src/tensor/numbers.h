#ifndef ONNX_EXPOSE_TENSOR_NUMBERS_H_
#define ONNX_EXPOSE_TENSOR_NUMBERS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "onnx_expose/tensor.h"

namespace onnx_expose {

// Elements as double, each exactly (of 64-bit integers the nearest); bools are
// 0 and 1, complex numbers their magnitude.

// Whether elements of the type are numbers: all but strings and unknown types.
bool IsNumber(int type);

// `count` elements from element `first` on.
void ToDoubles(const Tensor& tensor, uint64_t first, size_t count,
               double* numbers);

// The same as float, of the types for which that is exact.
bool FitsFloat(int type);
void ToFloats(const Tensor& tensor, uint64_t first, size_t count,
              float* numbers);

// What each code of a type of 8 bits or less stands for. Codes as Unpack has
// them.
using CodeValues = std::array<double, 256>;
const CodeValues& ValuesOfCodes(int type);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_NUMBERS_H_
