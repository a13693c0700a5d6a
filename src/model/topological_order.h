#ifndef ONNX_EXPOSE_MODEL_TOPOLOGICAL_ORDER_H_
#define ONNX_EXPOSE_MODEL_TOPOLOGICAL_ORDER_H_

#include <onnx/onnx_pb.h>

#include <vector>

#include "onnx_expose/graph_index.h"

namespace onnx_expose {

// The nodes of the scope in list order, as indices in GraphIndex::nodes().
std::vector<int> NodesOf(const GraphIndex& index, int scope);

// Positions in the scope's node list so that every node comes behind those it
// reads from, and otherwise as in the list. Nodes of a cycle come last, in list
// order.
std::vector<int> TopologicalOrder(const GraphIndex& index, int scope);

// Puts the nodes of a list that lives in an arena into `order`, positions in
// today's list.
void Reorder(google::protobuf::RepeatedPtrField<onnx::NodeProto>& list,
             const std::vector<int>& order);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_TOPOLOGICAL_ORDER_H_
