#ifndef ONNX_EXPOSE_MODEL_ELEMENT_TYPES_H_
#define ONNX_EXPOSE_MODEL_ELEMENT_TYPES_H_

namespace onnx_expose {

// Bits of one element in memory; 0 for strings and unknown types.
int ElementBits(int type);

// Whether the standard gives this number a meaning (0, undefined, has none).
bool IsElementType(int type);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_ELEMENT_TYPES_H_
