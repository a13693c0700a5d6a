// Nodes that most models have none or few of.
#include <string>
#include <vector>

#include "tests/property/random_nodes.h"
#include "tests/property/random_tensor.h"

namespace onnx_expose::testing {

using onnx::AttributeProto;
using onnx::TensorProto;
using onnx::TypeProto;

void NodeMaker::Constant(NodeList& list) {
  auto& node = Add(list, "Constant", {});
  if (dice_.Chance(20)) {
    auto& floats = AddAttribute(node, "value_floats", AttributeProto::FLOATS);
    const int count = dice_.Chance(50) ? 3 : 700;
    for (int i = 0; i < count; ++i) floats.add_floats(1.5F);
    Output(list, node, TensorType(TensorProto::FLOAT, {std::to_string(count)}));
    return;
  }
  if (dice_.Chance(20)) {
    *AddAttribute(node, "sparse_value", AttributeProto::SPARSE_TENSOR)
         .mutable_sparse_tensor() = RandomSparseTensor(dice_, "");
    Output(list, node);
    return;
  }
  auto& tensor =
      *AddAttribute(node, "value", AttributeProto::TENSOR).mutable_t();
  tensor = RandomTensor(dice_, "");
  std::vector<std::string> dims;
  for (const int64_t dim : tensor.dims()) dims.push_back(std::to_string(dim));
  Output(list, node, TensorType(tensor.data_type(), dims));
}

// An operator nobody knows, or a known one behind it.
void NodeMaker::Mystery(NodeList& list) {
  std::string name;
  if (!list.unknown.empty() && dice_.Chance(60)) {
    name = AppendUnary(list, dice_.Pick(list.unknown));
  } else {
    auto& node = Add(list, "Mystery", {dice_.Pick(list.floats).name});
    node.set_domain("test.custom");
    for (int i = dice_.Below(3); i > 0; --i) {
      auto& attribute = *node.add_attribute();
      attribute.set_name("a" + std::to_string(i));
      FillAttribute(dice_, attribute);
    }
    name = Output(list, node);
    if (dice_.Chance(30)) list.unknown.push_back(Output(list, node));
  }
  list.unknown.push_back(name);
  if (list.depth == 0) mysteries_.push_back(name);
}

void NodeMaker::Call(NodeList& list) {
  if (functions == 0) return;
  const TypedValue x = dice_.Pick(list.floats);
  auto& node =
      Add(list, "F" + std::to_string(dice_.Below(functions)), {x.name});
  node.set_domain("test.fn");
  Output(list, node, x.type);
}

void NodeMaker::Sequence(NodeList& list) {
  const TypedValue x = dice_.Pick(list.floats);
  TypeProto type;
  *type.mutable_sequence_type()->mutable_elem_type() = x.type;
  const std::string sequence =
      Output(list, Add(list, "SequenceConstruct", {x.name, x.name}), type);
  if (dice_.Chance(50)) return;
  Output(list, Add(list, "SequenceAt", {sequence, Initializer({}, {1})}),
         x.type);
}

void NodeMaker::Optional(NodeList& list) {
  if (opset_ < 15) return;
  const TypedValue x = dice_.Pick(list.floats);
  TypeProto type;
  *type.mutable_optional_type()->mutable_elem_type() = x.type;
  Output(list, Add(list, "Optional", {x.name}), type);
}

void NodeMaker::Random(NodeList& list) {
  const TypedValue x = dice_.Pick(list.floats);
  Output(list, Add(list, "RandomNormalLike", {x.name}), x.type);
}

}  // namespace onnx_expose::testing
