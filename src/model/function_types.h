#ifndef ONNX_EXPOSE_MODEL_FUNCTION_TYPES_H_
#define ONNX_EXPOSE_MODEL_FUNCTION_TYPES_H_

#include <onnx/onnx_pb.h>

#include <vector>

#include "model/symbols.h"
#include "onnx_expose/graph_index.h"

namespace onnx_expose {

// Types of the values inside model-local functions, which ONNX inference
// doesn't annotate: each function's body is inferred as a graph for every call
// of it, and what all calls agree on holds. Reads the types of the main graph
// and its bodies from `types` (by value) and fills in the others. Does nothing
// when functions call themselves or too often.
void InferFunctionTypes(const GraphIndex& index, const Symbols& symbols,
                        std::vector<onnx::TypeProto>& types);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_FUNCTION_TYPES_H_
