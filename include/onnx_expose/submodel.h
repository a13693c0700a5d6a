#ifndef ONNX_EXPOSE_SUBMODEL_H_
#define ONNX_EXPOSE_SUBMODEL_H_

#include <onnx/onnx_pb.h>

#include <string>
#include <utility>
#include <vector>

#include "onnx_expose/graph_index.h"
#include "onnx_expose/skeleton.h"

namespace onnx_expose {

// A part of the main graph that is a model of its own.
struct SubmodelOptions {
  // Positions in the main graph's node list, in the order to be kept. Bodies
  // and functions stay with the nodes that use them.
  std::vector<int> nodes;
  // What it is to be fed, with types. Values it reads that are neither here nor
  // computed by its nodes must be initializers.
  std::vector<std::pair<std::string, onnx::TypeProto>> inputs;
  // Values that its nodes compute, inputs or initializers.
  std::vector<std::string> outputs;
};

// The nodes, the initializers they read, and nothing else of the main graph;
// IR version, opsets and functions as they are. Weights stay payloads of the
// same file. Outputs carry names only, as ONNX Runtime needs no more.
//
//   // The third node alone:
//   Skeleton part = ExtractSubmodel(model, index, {{2}, {{"x", type}}, {"y"}});
Skeleton ExtractSubmodel(const Skeleton& model, const GraphIndex& index,
                         const SubmodelOptions& options);

// What the nodes read from outside: values that they don't compute themselves,
// captured ones included, each once, without initializers that are no graph
// inputs.
std::vector<std::string> InputsOf(const GraphIndex& index,
                                  const std::vector<int>& nodes);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SUBMODEL_H_
