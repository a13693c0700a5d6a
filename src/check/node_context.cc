#include "check/node_context.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace onnx_expose {
namespace {

template <typename Map>
auto Find(const Map& map, const std::string& name) ->
    typename Map::mapped_type {
  const auto found = map.find(name);
  return found == map.end() ? nullptr : found->second;
}

}  // namespace

NodeContext::NodeContext(const onnx::NodeProto& node, const Frame& frame,
                         MakeBody make_body)
    : node_(node),
      frame_(frame),
      make_body_(std::move(make_body)),
      outputs_(static_cast<size_t>(node.output_size())) {
  for (const std::string& name : node.input()) {
    inputs_.push_back(frame.FindType(name));
  }
}

const onnx::AttributeProto* NodeContext::getAttribute(
    const std::string& name) const {
  for (const auto& attribute : node_.attribute()) {
    if (attribute.name() != name) continue;
    return attribute.ref_attr_name().empty()
               ? &attribute
               : frame_.FindAttribute(attribute.ref_attr_name());
  }
  return nullptr;
}

const onnx::TypeProto* NodeContext::getInputType(size_t index) const {
  InputName(index);
  return inputs_[index];
}

bool NodeContext::hasInput(size_t index) const {
  if (index >= getNumInputs()) return false;
  const std::string& name = InputName(index);
  return !name.empty() && !frame_.IsAbsent(name);
}

const onnx::TensorProto* NodeContext::getInputData(size_t index) const {
  return Find(frame_.data, InputName(index));
}

const onnx::SparseTensorProto* NodeContext::getInputSparseData(
    size_t index) const {
  return Find(frame_.sparse, InputName(index));
}

const onnx::TensorShapeProto* NodeContext::getSymbolicInput(
    size_t index) const {
  InputName(index);
  return nullptr;
}

onnx::TypeProto* NodeContext::getOutputType(size_t index) {
  if (index >= outputs_.size()) {
    throw std::runtime_error(fmt::format("output {} is out of bounds", index));
  }
  return &outputs_[index];
}

bool NodeContext::hasOutput(size_t index) {
  return index < outputs_.size() &&
         !node_.output(static_cast<int>(index)).empty();
}

onnx::GraphInferencer* NodeContext::getGraphAttributeInferencer(
    const std::string& name) {
  auto& body = bodies_[name];
  if (body == nullptr) body = make_body_(name);
  if (body == nullptr) {
    throw std::runtime_error(fmt::format("attribute {} has no graph", name));
  }
  return body.get();
}

std::string NodeContext::getDisplayName() const {
  return node_.name().empty()
             ? "node " + node_.op_type()
             : "node " + node_.op_type() + " (" + node_.name() + ")";
}

bool NodeContext::HasUnknownInput() const {
  for (size_t i = 0; i < getNumInputs(); ++i) {
    if (hasInput(i) && getInputType(i) == nullptr) return true;
  }
  return false;
}

bool NodeContext::HasInputThatIsNoTensor() const {
  for (size_t i = 0; i < getNumInputs(); ++i) {
    const onnx::TypeProto* type = getInputType(i);
    if (type != nullptr && !type->has_tensor_type()) return true;
  }
  return false;
}

const std::string& NodeContext::InputName(size_t index) const {
  if (index >= getNumInputs()) {
    throw std::runtime_error(fmt::format("input {} is out of bounds", index));
  }
  return node_.input(static_cast<int>(index));
}

}  // namespace onnx_expose
