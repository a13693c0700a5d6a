#ifndef ONNX_EXPOSE_SUPPORT_AT_H_
#define ONNX_EXPOSE_SUPPORT_AT_H_

#include <cstddef>

namespace onnx_expose {

// An index of GraphIndex as a position in a container: values[At(value)].
inline size_t At(int index) { return static_cast<size_t>(index); }

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SUPPORT_AT_H_
