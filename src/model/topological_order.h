#ifndef ONNX_EXPOSE_MODEL_TOPOLOGICAL_ORDER_H_
#define ONNX_EXPOSE_MODEL_TOPOLOGICAL_ORDER_H_

#include <vector>

#include "onnx_expose/graph_index.h"

namespace onnx_expose {

// Positions in the scope's node list so that every node comes behind those it
// reads from, and otherwise as in the list. Nodes of a cycle come last, in list
// order.
std::vector<int> TopologicalOrder(const GraphIndex& index, int scope);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_TOPOLOGICAL_ORDER_H_
