#ifndef ONNX_EXPOSE_PIPELINE_SAME_BITS_H_
#define ONNX_EXPOSE_PIPELINE_SAME_BITS_H_

#include "onnx_expose/tensor.h"

namespace onnx_expose {

// Whether two values are the same bit for bit: kind, type, shape, elements.
bool SameBits(const Data& a, const Data& b);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_PIPELINE_SAME_BITS_H_
