#ifndef ONNX_EXPOSE_ELEMENT_TYPES_H_
#define ONNX_EXPOSE_ELEMENT_TYPES_H_

#include <string>
#include <string_view>

namespace onnx_expose {

// Those of TensorProto.DataType that are named in code.
enum ElementNumber : int {
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kDouble = 11,
  kUint64 = 13,
  kComplex64 = 14,
  kComplex128 = 15,
  kBfloat16 = 16,
  kFloat8E8M0 = 24,
};

// Element types by the names of the standard ("float", "int64", "bfloat16",
// "float8e4m3fn", ...), as the numbers of TensorProto.DataType.
// ElementType throws Error(kUsage) with a suggestion for an unknown name.
int ElementType(std::string_view name);
// "float"; "elem99" for a number that no version of the standard gives.
std::string ElementName(int type);

// Bits of one element in memory; 0 for strings and unknown types.
int ElementBits(int type);

// Whether the standard gives this number a meaning (0, undefined, has none).
bool IsElementType(int type);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_ELEMENT_TYPES_H_
