#ifndef ONNX_EXPOSE_MODEL_STEADY_SHAPES_H_
#define ONNX_EXPOSE_MODEL_STEADY_SHAPES_H_

#include <set>

#include "onnx_expose/graph_index.h"

namespace onnx_expose {

// Values defined in the body of a Scan (indices in GraphIndex::values()) that
// have the same shape in each iteration, whatever its sizes are: what the body
// reads from outside doesn't change, the slices of a scan input are alike, and
// a state keeps its shape (onnx/Scan; ONNX Runtime fails otherwise). From there
// on it is a matter of which operators make shapes of data.
std::set<int> SteadyShapes(const GraphIndex& index, int scope);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_STEADY_SHAPES_H_
