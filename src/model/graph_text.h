#ifndef ONNX_EXPOSE_MODEL_GRAPH_TEXT_H_
#define ONNX_EXPOSE_MODEL_GRAPH_TEXT_H_

#include <string>

#include "onnx_expose/skeleton.h"

namespace onnx_expose {

// The model as text for people, one item a line: versions, metadata, inputs,
// outputs, initializers (size instead of data), nodes with their attributes,
// bodies indented below their nodes, functions.
//
//   graph g {
//     input x: float[1,4]
//     output y: float[1,4]
//     initializer w: float[1,4]  # 16 bytes
//
//     [n0] a = Relu(x)
//     [n1] y = Add(a, w)
//   }
std::string GraphText(const Skeleton& model);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_GRAPH_TEXT_H_
