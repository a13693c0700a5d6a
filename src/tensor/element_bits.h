#ifndef ONNX_EXPOSE_TENSOR_ELEMENT_BITS_H_
#define ONNX_EXPOSE_TENSOR_ELEMENT_BITS_H_

#include <cstdint>
#include <optional>

namespace onnx_expose {

// Floating-point numbers of any width; not complex ones.
bool IsFloatType(int type);

// complex64, complex128. Their elements are two floats or doubles.
bool IsComplexType(int type);
// The type of the two; any other type is its own.
int ComponentType(int type);

struct IntegerRange {
  int64_t min = 0;
  int64_t max = 0;
};
// What an integer type or bool holds; of uint64 the lower half. Nothing for
// other types.
std::optional<IntegerRange> RangeOf(int type);

// The nearest number that a floating-point type has, ties to even, as the bits
// of an element. What is too large becomes infinite in float16, bfloat16 and
// wider, and the largest number in the narrower ones, as ONNX's Cast has it.
uint64_t FloatBits(int type, double value);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_ELEMENT_BITS_H_
