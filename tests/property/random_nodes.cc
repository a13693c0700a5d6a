#include "tests/property/random_nodes.h"

#include <algorithm>
#include <array>

#include "tests/property/random_tensor.h"

namespace onnx_expose::testing {
namespace {

using onnx::AttributeProto;
using onnx::NodeProto;
using onnx::TensorProto;
using onnx::TypeProto;

void AddInt(NodeProto& node, const std::string& name, int64_t value) {
  AddAttribute(node, name, AttributeProto::INT).set_i(value);
}

auto& Dims(TypeProto& type) {
  return *type.mutable_tensor_type()->mutable_shape()->mutable_dim();
}

int Rank(const TypeProto& type) {
  return type.tensor_type().shape().dim_size();
}

void SetElement(TypeProto& type, int element_type) {
  type.mutable_tensor_type()->set_elem_type(element_type);
}

// Puts an unknown dim in front.
void AddFront(TypeProto& type, const std::string& dim) {
  const TypeProto before = type;
  type = TensorType(before.tensor_type().elem_type(), {dim});
  for (const auto& old : before.tensor_type().shape().dim()) {
    *Dims(type).Add() = old;
  }
}

}  // namespace

AttributeProto& AddAttribute(NodeProto& node, const std::string& name,
                             AttributeProto::AttributeType type) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(type);
  return attribute;
}

TypeProto TensorType(int element_type, const std::vector<std::string>& dims) {
  TypeProto type;
  SetElement(type, element_type);
  type.mutable_tensor_type()->mutable_shape();
  for (const std::string& text : dims) {
    auto& dim = *Dims(type).Add();
    if (text.empty()) continue;
    if (text[0] >= '0' && text[0] <= '9') {
      dim.set_dim_value(std::stoll(text));
    } else {
      dim.set_dim_param(text);
    }
  }
  return type;
}

void NodeMaker::Append(NodeList& list) {
  using Maker = void (NodeMaker::*)(NodeList&);
  static constexpr std::array<Maker, 23> kMakers = {
      &NodeMaker::Unary,   &NodeMaker::Unary,     &NodeMaker::Unary,
      &NodeMaker::Unary,   &NodeMaker::Unary,     &NodeMaker::Shape,
      &NodeMaker::Cast,    &NodeMaker::Transpose, &NodeMaker::Unsqueeze,
      &NodeMaker::Concat,  &NodeMaker::Reshape,   &NodeMaker::Dropout,
      &NodeMaker::Dropout, &NodeMaker::Gru,       &NodeMaker::Constant,
      &NodeMaker::Mystery, &NodeMaker::Call,      &NodeMaker::Sequence,
      &NodeMaker::Random,  &NodeMaker::If,        &NodeMaker::Loop,
      &NodeMaker::Scan,    &NodeMaker::Optional};
  (this->*dice_.Pick(kMakers))(list);
}

std::string NodeMaker::AppendUnary(NodeList& list, const std::string& input) {
  static const std::vector<std::string> kOps = {"Relu", "Abs", "Neg", "Tanh",
                                                "Identity"};
  return Output(list, Add(list, dice_.Pick(kOps), {input}));
}

NodeProto& NodeMaker::Add(NodeList& list, const std::string& op_type,
                          const std::vector<std::string>& inputs) {
  auto& node = *list.nodes->Add();
  for (const std::string& input : inputs) node.add_input(input);
  node.set_op_type(op_type);
  ++nodes_;
  if (dice_.Chance(70)) {
    node.set_name("/" + op_type + " " + std::to_string(nodes_));
  }
  if (dice_.Chance(10)) node.set_doc_string("a line\nand another");
  if (dice_.Chance(3)) AddUnknownFields(dice_, node);
  if (dice_.Chance(5)) {
    auto& entry = *node.add_metadata_props();
    entry.set_key("namespace");
    entry.set_value("encoder/layer");
  }
  return node;
}

std::string NodeMaker::NewName(NodeList& list) {
  static const std::vector<std::string> kStems = {"v",
                                                  "/layer1/conv/out",
                                                  "a b",
                                                  "tab\tname\nline",
                                                  "it's \"q\"",
                                                  "bytes\xff\xfe",
                                                  "\xC3\xBC\xE2\x82\xAC",
                                                  "x::y;z",
                                                  "235",
                                                  "[.*]+$"};
  if (!list.prefix.empty()) {
    return list.prefix + "t" + std::to_string(list.count++);
  }
  const std::string name = dice_.Pick(kStems) + "_" + std::to_string(names_++);
  return dice_.Chance(2) ? name + std::string(300, 'n') : name;
}

std::string NodeMaker::Output(NodeList& list, NodeProto& node) {
  node.add_output(NewName(list));
  return node.output(node.output_size() - 1);
}

std::string NodeMaker::Output(NodeList& list, NodeProto& node,
                              const TypeProto& type) {
  std::string name = Output(list, node);
  if (list.depth == 0) truth_[name] = type;
  if (type.tensor_type().elem_type() == TensorProto::FLOAT) {
    list.floats.push_back({name, type});
  }
  return name;
}

std::string NodeMaker::Initializer(const std::vector<int64_t>& dims,
                                   const std::vector<int64_t>& numbers) {
  auto& tensor = *main_.add_initializer();
  tensor.set_data_type(TensorProto::INT64);
  tensor.set_name("const_" + std::to_string(main_.initializer_size()));
  for (const int64_t dim : dims) tensor.add_dims(dim);
  for (const int64_t number : numbers) tensor.add_int64_data(number);
  return tensor.name();
}

const TypedValue* NodeMaker::FloatOfRank(const NodeList& list, int rank) {
  const auto fits = [&](const TypedValue& value) {
    return Rank(value.type) == rank;
  };
  const auto found =
      std::find_if(list.floats.rbegin(), list.floats.rend(), fits);
  return found == list.floats.rend() ? nullptr : &*found;
}

void NodeMaker::Unary(NodeList& list) {
  static const std::vector<std::string> kOps = {
      "Relu", "Abs", "Neg", "Tanh", "Sigmoid", "Identity", "Add", "Mul"};
  const TypedValue x = dice_.Pick(list.floats);
  auto& node = Add(list, dice_.Pick(kOps), {x.name});
  if (node.op_type() == "Add" || node.op_type() == "Mul") {
    node.add_input(x.name);
  }
  Output(list, node, x.type);
}

void NodeMaker::Shape(NodeList& list) {
  const TypedValue x = dice_.Pick(list.floats);
  Output(list, Add(list, "Shape", {x.name}),
         TensorType(TensorProto::INT64, {std::to_string(Rank(x.type))}));
}

void NodeMaker::Cast(NodeList& list) {
  static constexpr std::array kTargets = {
      TensorProto::INT64, TensorProto::DOUBLE, TensorProto::FLOAT16};
  TypedValue x = dice_.Pick(list.floats);
  auto& node = Add(list, "Cast", {x.name});
  const int target = dice_.Pick(kTargets);
  AddInt(node, "to", target);
  SetElement(x.type, target);
  Output(list, node, x.type);
}

void NodeMaker::Transpose(NodeList& list) {
  TypedValue x = dice_.Pick(list.floats);
  auto& dims = Dims(x.type);
  std::reverse(dims.begin(), dims.end());
  Output(list, Add(list, "Transpose", {x.name}), x.type);
}

void NodeMaker::Unsqueeze(NodeList& list) {
  TypedValue x = dice_.Pick(list.floats);
  if (Rank(x.type) > 5) return;
  AddFront(x.type, "1");
  Output(list, Add(list, "Unsqueeze", {x.name, Initializer({1}, {0})}), x.type);
}

void NodeMaker::Concat(NodeList& list) {
  TypedValue x = dice_.Pick(list.floats);
  if (Rank(x.type) == 0) return;
  auto& node = Add(list, "Concat", {x.name, x.name});
  AddInt(node, "axis", -1);
  auto& last = *Dims(x.type).rbegin();
  if (last.has_dim_value()) {
    last.set_dim_value(last.dim_value() * 2);
  } else {
    last.clear_value();
  }
  Output(list, node, x.type);
}

// By a shape that is only known at run time, if not by data propagation.
void NodeMaker::Reshape(NodeList& list) {
  const TypedValue x = dice_.Pick(list.floats);
  const std::string shape =
      Output(list, Add(list, "Shape", {x.name}),
             TensorType(TensorProto::INT64, {std::to_string(Rank(x.type))}));
  Output(list, Add(list, "Reshape", {x.name, shape}), x.type);
}

// The mask is left out, named, or written as an empty name.
void NodeMaker::Dropout(NodeList& list) {
  TypedValue x = dice_.Pick(list.floats);
  auto& node = Add(list, "Dropout", {x.name});
  Output(list, node, x.type);
  const int mask = dice_.Below(3);
  SetElement(x.type, TensorProto::BOOL);
  if (mask == 0) node.add_output("");
  if (mask == 1) Output(list, node, x.type);
}

// Y may be omitted in front of Y_h.
void NodeMaker::Gru(NodeList& list) {
  const TypedValue* x = FloatOfRank(list, 3);
  if (x == nullptr || x->type.tensor_type().shape().dim(2).dim_value() != 4) {
    return;
  }
  const auto& dims = x->type.tensor_type().shape().dim();
  TypeProto y = TensorType(TensorProto::FLOAT, {"", "1", "", "2"});
  Dims(y)[0] = dims[0];
  Dims(y)[2] = dims[1];
  TypeProto last = TensorType(TensorProto::FLOAT, {"1", "", "2"});
  Dims(last)[1] = dims[1];
  const auto weights = [&](const std::vector<int64_t>& shape) {
    auto& tensor = *main_.add_initializer();
    FillTensor(dice_, TensorProto::FLOAT, shape, tensor);
    tensor.set_name("gru_" + std::to_string(main_.initializer_size()));
    return tensor.name();
  };
  auto& node =
      Add(list, "GRU", {x->name, weights({1, 6, 4}), weights({1, 6, 2})});
  AddInt(node, "hidden_size", 2);
  if (dice_.Chance(50)) {
    node.add_output("");
  } else {
    Output(list, node, y);
  }
  Output(list, node, last);
}

}  // namespace onnx_expose::testing
