#ifndef ONNX_EXPOSE_TESTS_PROPERTY_RANDOM_NODES_H_
#define ONNX_EXPOSE_TESTS_PROPERTY_RANDOM_NODES_H_

#include <onnx/onnx_pb.h>

#include <map>
#include <string>
#include <vector>

#include "tests/property/dice.h"

namespace onnx_expose::testing {

struct TypedValue {
  std::string name;
  onnx::TypeProto type;
};

// A list of nodes that grows, and the values its nodes can read: those of the
// scopes around it too.
struct NodeList {
  google::protobuf::RepeatedPtrField<onnx::NodeProto>* nodes = nullptr;
  std::string prefix;  // of names; empty in the main graph
  int depth = 0;
  int count = 0;                     // names given
  std::vector<TypedValue> floats;    // float tensors of known rank
  std::vector<std::string> unknown;  // what operators nobody knows computed
};

// Appends random nodes, valid by the standard. The bodies of If, Loop and Scan
// read values from outside, and siblings use the same names.
class NodeMaker {
 public:
  // Initializers that nodes need go to `main`.
  NodeMaker(Dice& dice, onnx::GraphProto& main, int opset)
      : dice_(dice), main_(main), opset_(opset) {}

  void Append(NodeList& list);
  // A node without anything from outside but the value it reads.
  std::string AppendUnary(NodeList& list, const std::string& input);

  // Types by value of the main graph, as the operators define them.
  const std::map<std::string, onnx::TypeProto>& truth() const { return truth_; }
  // Values of the main graph that operators nobody knows computed.
  const std::vector<std::string>& mysteries() const { return mysteries_; }
  // Functions to call, "test.fn::F0", ...
  int functions = 0;

 private:
  onnx::NodeProto& Add(NodeList& list, const std::string& op_type,
                       const std::vector<std::string>& inputs);
  std::string NewName(NodeList& list);
  std::string Output(NodeList& list, onnx::NodeProto& node);
  std::string Output(NodeList& list, onnx::NodeProto& node,
                     const onnx::TypeProto& type);
  std::string Initializer(const std::vector<int64_t>& dims,
                          const std::vector<int64_t>& numbers);
  const TypedValue* FloatOfRank(const NodeList& list, int rank);

  void Unary(NodeList& list);
  void Shape(NodeList& list);
  void Cast(NodeList& list);
  void Transpose(NodeList& list);
  void Unsqueeze(NodeList& list);
  void Concat(NodeList& list);
  void Reshape(NodeList& list);
  void Dropout(NodeList& list);
  void Gru(NodeList& list);
  void Constant(NodeList& list);
  void Mystery(NodeList& list);
  void Call(NodeList& list);
  void Sequence(NodeList& list);
  void Optional(NodeList& list);
  void Random(NodeList& list);
  void If(NodeList& list);
  void Loop(NodeList& list);
  void Scan(NodeList& list);

  NodeList Body(const NodeList& outer, const std::string& prefix,
                onnx::NodeProto& node, const std::string& attribute);
  void AddBodyOutput(onnx::NodeProto& node, int attribute,
                     const std::string& name);

  Dice& dice_;
  onnx::GraphProto& main_;
  const int opset_;
  int nodes_ = 0;
  int names_ = 0;
  std::map<std::string, onnx::TypeProto> truth_;
  std::vector<std::string> mysteries_;
};

onnx::AttributeProto& AddAttribute(onnx::NodeProto& node,
                                   const std::string& name,
                                   onnx::AttributeProto::AttributeType type);

onnx::TypeProto TensorType(int element_type,
                           const std::vector<std::string>& dims);

}  // namespace onnx_expose::testing

#endif  // ONNX_EXPOSE_TESTS_PROPERTY_RANDOM_NODES_H_
