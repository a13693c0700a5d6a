#ifndef ONNX_EXPOSE_CHECK_RULES_H_
#define ONNX_EXPOSE_CHECK_RULES_H_

#include <onnx/onnx_pb.h>

#include <string>
#include <unordered_set>
#include <vector>

#include "check/domains.h"
#include "check/findings.h"
#include "onnx_expose/graph_index.h"
#include "onnx_expose/skeleton.h"

namespace onnx_expose {

// What every rule looks at, and what earlier rules leave for later ones.
struct Subject {
  Subject(const Skeleton& model_in, const GraphIndex& index_in);

  const onnx::GraphProto* graph(int scope) const {
    return index.scopes()[static_cast<size_t>(scope)].graph;
  }
  const onnx::NodeProto& node(int i) const {
    return *index.nodes()[static_cast<size_t>(i)].node;
  }
  // The opset imports that hold in a scope.
  const Imports& imports(int scope) const {
    return imports_of_root[static_cast<size_t>(
        root[static_cast<size_t>(scope)])];
  }

  const Skeleton& skeleton;
  const onnx::ModelProto& model;
  const GraphIndex& index;
  Places places;
  Findings findings;

  // By scope: its nodes as indices in index.nodes(), in list order; sorted
  // topologically by CheckOrder.
  std::vector<std::vector<int>> nodes;
  // By scope: the main graph (0) or the function it lies in.
  std::vector<int> root;
  std::vector<Imports> imports_of_root;  // by scope; empty for bodies

  // Tensors that must not be read, by CheckTensors.
  std::unordered_set<const onnx::TensorProto*> bad_tensors;
  // By node: may be handed to type inference, by CheckNodes.
  std::vector<bool> sound;
  // Why inference makes no sense; empty: it does. By CheckOrder and
  // CheckFunctions.
  std::string no_inference;
};

// IR version, opset imports, metadata, training info.
void CheckModelFields(Subject& subject);

// Names in graphs: of inputs, outputs, initializers, value_info.
void CheckGraphs(Subject& subject);

// Who defines and who reads which value, and in which order.
void CheckOrder(Subject& subject);

// Declared types of graph inputs, outputs and value_info.
void CheckTypes(Subject& subject);

// Each node against the operator it names.
void CheckNodes(Subject& subject);

// Model-local functions and their calls.
void CheckFunctions(Subject& subject);

// Data of tensors, inside and outside of the file.
void CheckTensors(Subject& subject);

// Types and shapes by inference: contradictions between nodes, and between
// what is declared and what is inferred.
void CheckInference(Subject& subject);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_CHECK_RULES_H_
