// Nodes with bodies.
#include "tests/property/random_nodes.h"

namespace onnx_expose::testing {
namespace {

using onnx::AttributeProto;
using onnx::NodeProto;
using onnx::TensorProto;
using onnx::TypeProto;

constexpr int kDeepestBody = 2;

onnx::GraphProto& BodyOf(NodeProto& node, int attribute) {
  return *node.mutable_attribute(attribute)->mutable_g();
}

void AddInput(onnx::GraphProto& body, const std::string& name,
              const TypeProto& type) {
  auto& input = *body.add_input();
  input.set_name(name);
  *input.mutable_type() = type;
}

}  // namespace

NodeList NodeMaker::Body(const NodeList& outer, const std::string& prefix,
                         NodeProto& node, const std::string& attribute) {
  auto& holder = *node.add_attribute();
  holder.set_name(attribute);
  holder.set_type(AttributeProto::GRAPH);
  holder.mutable_g()->set_name(attribute);
  NodeList list = outer;
  list.nodes = holder.mutable_g()->mutable_node();
  list.prefix = prefix;
  list.count = 0;
  list.depth = outer.depth + 1;
  return list;
}

void NodeMaker::AddBodyOutput(NodeProto& node, int attribute,
                              const std::string& name) {
  BodyOf(node, attribute).add_output()->set_name(name);
}

// Both branches turn the same value into their output and compute more beside.
void NodeMaker::If(NodeList& list) {
  if (list.depth >= kDeepestBody) return;
  const TypedValue x = dice_.Pick(list.floats);
  NodeProto& node = Add(list, "If", {"cond"});
  const std::string prefix = "b" + std::to_string(nodes_) + "_";
  for (int branch = 0; branch < 2; ++branch) {
    NodeList body =
        Body(list, prefix, node, branch == 0 ? "then_branch" : "else_branch");
    for (int i = dice_.Below(3); i > 0; --i) Append(body);
    AddBodyOutput(node, branch, AppendUnary(body, x.name));
  }
  Output(list, node, x.type);
}

// A value carried around, whose rank inference gives up on, and a scan output.
void NodeMaker::Loop(NodeList& list) {
  if (list.depth >= kDeepestBody) return;
  const TypedValue x = dice_.Pick(list.floats);
  NodeProto& node = Add(list, "Loop", {Initializer({}, {3}), "", x.name});
  const std::string prefix = "b" + std::to_string(nodes_) + "_";
  NodeList body = Body(list, prefix, node, "body");
  AddInput(BodyOf(node, 0), prefix + "i", TensorType(TensorProto::INT64, {}));
  AddInput(BodyOf(node, 0), prefix + "c", TensorType(TensorProto::BOOL, {}));
  AddInput(BodyOf(node, 0), prefix + "s", x.type);
  for (int i = dice_.Below(3); i > 0; --i) Append(body);
  const std::string go_on = Output(body, Add(body, "Identity", {prefix + "c"}));
  AddBodyOutput(node, 0, go_on);
  AddBodyOutput(node, 0, AppendUnary(body, prefix + "s"));
  AddBodyOutput(node, 0, AppendUnary(body, x.name));
  list.unknown.push_back(Output(list, node));
  TypeProto stacked = TensorType(TensorProto::FLOAT, {""});
  for (const auto& dim : x.type.tensor_type().shape().dim()) {
    *stacked.mutable_tensor_type()->mutable_shape()->add_dim() = dim;
  }
  Output(list, node, stacked);
}

void NodeMaker::Scan(NodeList& list) {
  const TypedValue x = dice_.Pick(list.floats);
  const auto& shape = x.type.tensor_type().shape();
  if (list.depth >= kDeepestBody || shape.dim_size() == 0) return;
  TypeProto slice = TensorType(TensorProto::FLOAT, {});
  for (int i = 1; i < shape.dim_size(); ++i) {
    *slice.mutable_tensor_type()->mutable_shape()->add_dim() = shape.dim(i);
  }
  NodeProto& node = Add(list, "Scan", {x.name});
  const std::string prefix = "b" + std::to_string(nodes_) + "_";
  NodeList body = Body(list, prefix, node, "body");
  AddInput(BodyOf(node, 0), prefix + "slice", slice);
  AddBodyOutput(node, 0, AppendUnary(body, prefix + "slice"));
  auto& count = *node.add_attribute();
  count.set_name("num_scan_inputs");
  count.set_type(AttributeProto::INT);
  count.set_i(1);
  Output(list, node, x.type);
}

}  // namespace onnx_expose::testing
