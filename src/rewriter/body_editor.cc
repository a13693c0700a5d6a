#include "rewriter/body_editor.h"

#include <algorithm>
#include <utility>

#include "model/marks.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

std::string BroughtOut(const std::string& name) {
  return Marked(name.empty() ? "stands in for a value of the other branch"
                             : "brings out " + Quoted(name));
}

// Rank kept if known, one dim 0 so that a reader can tell "not computed".
onnx::TensorProto EmptyTensor(const onnx::TypeProto::Tensor& type) {
  onnx::TensorProto tensor;
  tensor.set_data_type(type.elem_type());
  tensor.add_dims(0);
  for (int i = 1; i < type.shape().dim_size(); ++i) {
    const auto& dim = type.shape().dim(i);
    tensor.add_dims(dim.has_dim_value() ? dim.dim_value() : 1);
  }
  return tensor;
}

}  // namespace

onnx::NodeProto& BodyEditor::node(int node) const {
  const NodeRef& ref = index_.nodes()[static_cast<size_t>(node)];
  return *scope(ref.scope).nodes()->Mutable(ref.index);
}

Provenance::NodePath BodyEditor::PathOf(int node) const {
  const NodeRef* ref = &index_.nodes()[static_cast<size_t>(node)];
  Provenance::NodePath path = {ref->own_index};
  const Scope* at = &index_.scopes()[static_cast<size_t>(ref->scope)];
  while (at->kind == Scope::Kind::kBody) {
    ref = &index_.nodes()[static_cast<size_t>(at->owner)];
    int attribute = 0;
    while (ref->node->attribute(attribute).name() != at->attribute) ++attribute;
    path.push_back(attribute);
    path.push_back(ref->own_index);
    at = &index_.scopes()[static_cast<size_t>(at->parent)];
  }
  int root = -1;
  if (at->kind == Scope::Kind::kFunction) {
    const auto& functions = index_.model().functions();
    root = static_cast<int>(
        std::find_if(functions.begin(), functions.end(),
                     [&](const auto& f) { return &f == at->function; }) -
        functions.begin());
  }
  path.push_back(root);
  std::reverse(path.begin(), path.end());
  return path;
}

void BodyEditor::Record(int node) {
  // What is added goes as a whole.
  const NodeRef& ref = index_.nodes()[static_cast<size_t>(node)];
  if (IsAdded(ref.node->doc_string()) ||
      index_.scopes()[static_cast<size_t>(ref.scope)].added) {
    return;
  }
  auto path = PathOf(node);
  if (record_.nodes_changed.count(path) > 0) return;
  const onnx::NodeProto& now = this->node(node);
  Provenance::Node& before = record_.nodes_changed[std::move(path)];
  before.inputs.assign(now.input().begin(), now.input().end());
  before.outputs.assign(now.output().begin(), now.output().end());
  for (const auto& attribute : now.attribute()) {
    if (attribute.name().rfind("scan_output_", 0) != 0) continue;
    before.int_lists[attribute.name()].assign(attribute.ints().begin(),
                                              attribute.ints().end());
  }
}

void BodyEditor::RecordFunction(int scope) {
  const auto* function = index_.scopes()[static_cast<size_t>(scope)].function;
  const auto& functions = index_.model().functions();
  for (int i = 0; i < functions.size(); ++i) {
    if (&functions.Get(i) != function) continue;
    record_.function_outputs.emplace(i, function->output_size());
  }
}

onnx::NodeProto& BodyEditor::Append(int scope, const std::string& op_type,
                                    const std::vector<std::string>& inputs,
                                    const std::string& output) {
  auto& node = AddNode(*this->scope(scope).nodes(), op_type, inputs, output);
  node.set_doc_string(Added("to bring an inner value out"));
  return node;
}

onnx::ValueInfoProto& BodyEditor::AddBodyOutput(int scope, int position,
                                                const std::string& output,
                                                const std::string& name) {
  auto& outputs = *this->scope(scope).graph->mutable_output();
  auto* entry = outputs.Add();
  entry->set_name(output);
  entry->set_doc_string(BroughtOut(name));
  for (int i = outputs.size() - 1; position >= 0 && i > position; --i) {
    outputs.SwapElements(i, i - 1);
  }
  return *entry;
}

void BodyEditor::AddBodyInput(int scope, const std::string& name) {
  auto* entry = this->scope(scope).graph->add_input();
  entry->set_name(name);
  entry->set_doc_string(Marked("carries an inner value"));
}

std::string BodyEditor::AppendConstant(int scope, onnx::TensorProto tensor,
                                       const std::string& name) {
  std::string output = NewName(name);
  auto& attribute = *Append(scope, "Constant", {}, output).add_attribute();
  attribute.set_name("value");
  attribute.set_type(onnx::AttributeProto::TENSOR);
  *attribute.mutable_t() = std::move(tensor);
  return output;
}

std::string BodyEditor::AppendNumber(int scope, int64_t number,
                                     const std::string& name) {
  onnx::TensorProto tensor;
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_int64_data(number);
  return AppendConstant(scope, std::move(tensor), name);
}

std::string BodyEditor::AppendEmpty(int scope, const onnx::TypeProto& type,
                                    const std::string& name) {
  if (!HasElementType(type)) return "";
  std::string output;
  if (type.has_tensor_type()) {
    output = AppendConstant(scope, EmptyTensor(type.tensor_type()), name);
  } else if (type.has_sequence_type() &&
             type.sequence_type().elem_type().has_tensor_type()) {
    output = NewName(name);
    auto& attribute =
        *Append(scope, "SequenceEmpty", {}, output).add_attribute();
    attribute.set_name("dtype");
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(type.sequence_type().elem_type().tensor_type().elem_type());
  } else if (type.has_optional_type()) {
    output = NewName(name);
    auto& attribute = *Append(scope, "Optional", {}, output).add_attribute();
    attribute.set_name("type");
    attribute.set_type(onnx::AttributeProto::TYPE_PROTO);
    *attribute.mutable_tp() = type.optional_type().elem_type();
  }
  return output;
}

onnx::NodeProto& AddNode(
    google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes,
    const std::string& op_type, const std::vector<std::string>& inputs,
    const std::string& output) {
  auto& node = *nodes.Add();
  for (const auto& input : inputs) node.add_input(input);
  node.add_output(output);
  node.set_name(output);
  node.set_op_type(op_type);
  return node;
}

onnx::GraphProto& AddBody(onnx::NodeProto& loop) {
  auto& attribute = *loop.add_attribute();
  attribute.set_name("body");
  attribute.set_type(onnx::AttributeProto::GRAPH);
  return *attribute.mutable_g();
}

void AddScalarInput(onnx::GraphProto& body, const std::string& name,
                    int element) {
  auto& input = *body.add_input();
  input.set_name(name);
  auto& type = *input.mutable_type()->mutable_tensor_type();
  type.set_elem_type(element);
  type.mutable_shape();
}

bool IsBroughtOut(const onnx::GraphProto& body, const std::string& name) {
  const std::string doc = BroughtOut(name);
  return std::any_of(
      body.output().begin(), body.output().end(),
      [&](const auto& output) { return output.doc_string() == doc; });
}

void PadOutputs(onnx::NodeProto& node, int size) {
  while (node.output_size() < size) node.add_output("");
}

}  // namespace onnx_expose
