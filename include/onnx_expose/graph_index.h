#ifndef ONNX_EXPOSE_GRAPH_INDEX_H_
#define ONNX_EXPOSE_GRAPH_INDEX_H_

#include <onnx/onnx_pb.h>

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace onnx_expose {

// A name space of values: the main graph, a body (subgraph attribute of a
// node such as If, Loop, Scan) or a model-local function.
struct Scope {
  enum class Kind { kMain, kBody, kFunction };
  Kind kind = Kind::kMain;
  // The scope around a body; -1 for the main graph and functions.
  int parent = -1;
  // Inside a node that exposing added.
  bool added = false;
  // Body: the node that holds it (index in GraphIndex::nodes()) and the
  // attribute; with `graphs` attributes the position in the list as well.
  int owner = -1;
  std::string_view attribute;
  // One of the two is set.
  const onnx::GraphProto* graph = nullptr;
  const onnx::FunctionProto* function = nullptr;
  // For people and for names: "" (main graph), "if_12/then_branch",
  // "my.domain::F", "my.domain::F/if_0/else_branch". Unnamed nodes count as
  // op type and index in their list.
  std::string path;

  const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes() const {
    return graph != nullptr ? graph->node() : function->node();
  }
};

struct NodeRef {
  const onnx::NodeProto* node = nullptr;
  int scope = 0;
  int index = 0;  // in the scope's node list
  // The same, not counting nodes that exposing added: the position in the
  // model as it was, and so what names are made of.
  int own_index = 0;
};

// A name that is defined in a scope.
struct Value {
  enum class Kind { kNodeOutput, kInput, kInitializer };
  std::string_view name;
  Kind kind = Kind::kNodeOutput;
  int scope = 0;
  int node = -1;   // kNodeOutput: index in GraphIndex::nodes()
  int output = 0;  // kNodeOutput: position in the node's output list
  // Depends on nothing but constants: outputs of Constant nodes, initializers
  // that are no inputs, and what deterministic nodes compute from them.
  bool constant = false;
  // Named in the graph outputs of its scope.
  bool is_output = false;
  // Computed by a node that exposing added (or inside one): not of the model.
  bool added = false;
};

// Read-only view of a model: who defines and who reads which value, in which
// scope. Keeps pointers into the model, which must outlive it unchanged.
//
//   GraphIndex index(model.proto);
//   for (const Value& value : index.values()) { ... }
class GraphIndex {
 public:
  explicit GraphIndex(const onnx::ModelProto& model);
  GraphIndex(const GraphIndex&) = delete;
  GraphIndex& operator=(const GraphIndex&) = delete;

  const onnx::ModelProto& model() const { return model_; }

  // The main graph is scope 0; bodies follow their node's scope, functions
  // come last. At most 100 levels deep (the loader sees to that).
  const std::vector<Scope>& scopes() const { return scopes_; }

  // All nodes. Of one scope in list order, those in a node's bodies before
  // the node itself.
  const std::vector<NodeRef>& nodes() const { return nodes_; }

  // All named node outputs, in the order of nodes() and so in the order in
  // which they are listed and exposed; then graph inputs and initializers of
  // every scope. A name defined twice in one scope is listed twice.
  const std::vector<Value>& values() const { return values_; }
  // How many of values() are node outputs.
  int node_output_count() const { return node_output_count_; }

  // The value of this name that is defined in exactly this scope, -1 if none;
  // of several the first.
  int FindIn(int scope, std::string_view name) const;
  // The value that a node of `scope` reads under this name: looked up in the
  // scope and, for bodies, outwards. -1 if nobody defines it.
  int Resolve(int scope, std::string_view name) const;

  // Values that a node reads, as indices in values(), each once: its inputs
  // and what its bodies capture from outside.
  std::span<const int> Reads(int node) const;
  // Nodes that read a value, the other way round.
  std::span<const int> Readers(int value) const;
  // Indices in values() of the node's named outputs, in order; they lie
  // together: first, first + 1, ...
  std::span<const int> Writes(int node) const;

  // The function that the node calls, as a scope; -1 if it calls none.
  int Callee(int node) const;

  // How scope paths call the node: its name, or op type and position.
  std::string Label(int node) const;

  // "Conv '/layer1/conv'" or "Conv (unnamed node 12)".
  std::string Describe(int node) const;

  // Body scopes of the node, in attribute order.
  const std::vector<int>& BodiesOf(int node) const;

 private:
  // A list of ints for each of n keys, in one array.
  struct Table {
    std::vector<int> start;
    std::vector<int> items;
    std::span<const int> Row(int key) const;
  };

  void AddGraph(int scope);
  void AddFunctions();
  void AddNode(int scope, int position, int own_position);
  void AddBody(int scope, const onnx::NodeProto& node, int own_position,
               const onnx::AttributeProto& attribute,
               const onnx::GraphProto& body, int number,
               std::vector<int>& bodies);
  void Define(const Value& value);
  void LinkReads();
  void MarkOutputs();

  const onnx::ModelProto& model_;
  std::vector<Scope> scopes_;
  std::vector<NodeRef> nodes_;
  std::vector<Value> values_;
  std::vector<std::vector<int>> bodies_;  // by node
  Table writes_;                          // node -> values
  Table reads_;                           // node -> values
  Table readers_;                         // value -> nodes
  std::vector<std::unordered_map<std::string_view, int>> names_;  // by scope
  std::unordered_map<std::string, int> functions_;
  int node_output_count_ = 0;
};

// The domain with "ai.onnx" spelled as the empty string.
std::string_view NormalDomain(std::string_view domain);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_GRAPH_INDEX_H_
