#include "rewriter/bring_out.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/opsets.h"

namespace onnx_expose {
namespace {

constexpr int kSequences = 11;
constexpr int kOptionals = 15;
constexpr int kIdentityOfSequences = 14;
constexpr int kIdentityOfOptionals = 16;

bool IsListed(const LiftStep& step) {
  const auto& outputs = step.editor.scope(step.scope).graph->output();
  return std::any_of(outputs.begin(), outputs.end(), [&](const auto& output) {
    return output.name() == step.name;
  });
}

// The name under which the body can list the value: its own, or that of a copy
// if the body lists it already.
std::string ListedName(const LiftStep& step) {
  if (!IsListed(step)) return step.name;
  std::string copy = step.editor.NewName(step.path + "/copy");
  step.editor.Append(step.scope, "Identity", {step.name}, copy);
  return copy;
}

}  // namespace

bool HasAllDims(const onnx::TypeProto& type) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return false;
  const auto& dims = type.tensor_type().shape().dim();
  return std::all_of(dims.begin(), dims.end(), [](const auto& dim) {
    return dim.has_dim_value() || dim.has_dim_param();
  });
}

bool IsTensorSequence(const onnx::TypeProto& type) {
  return type.has_sequence_type() &&
         type.sequence_type().elem_type().has_tensor_type();
}

onnx::TypeProto SequenceOf(const onnx::TypeProto& element) {
  onnx::TypeProto type;
  *type.mutable_sequence_type()->mutable_elem_type() = element;
  return type;
}

onnx::TypeProto AnyShape(onnx::TypeProto type) {
  if (!type.has_tensor_type()) return type;
  for (auto& dim :
       *type.mutable_tensor_type()->mutable_shape()->mutable_dim()) {
    dim.Clear();
  }
  return type;
}

std::string EmptyObstacle(const onnx::TypeProto& type, int opset) {
  if (!HasElementType(type)) return "its element type is unknown";
  if (type.has_tensor_type()) return "";
  if (IsTensorSequence(type)) {
    return opset < kSequences ? "sequences need opset 11" : "";
  }
  if (type.has_optional_type()) {
    return opset < kOptionals ? "optionals need opset 15" : "";
  }
  return fmt::format("there is no empty {}", TypeText(type));
}

int Opset(const LiftStep& step) { return DefaultOpset(step.index, step.scope); }

int OwnerScope(const LiftStep& step) {
  return step.index.nodes()[static_cast<size_t>(step.owner)].scope;
}

std::string ListObstacle(const LiftStep& step) {
  if (step.type.has_tensor_type() || !IsListed(step)) return "";
  const int needed = step.type.has_optional_type() ? kIdentityOfOptionals
                                                   : kIdentityOfSequences;
  if (Opset(step) >= needed) return "";
  return fmt::format(
      "it is an output of its body already, and before opset {} "
      "Identity can't copy it",
      needed);
}

onnx::ValueInfoProto& BringOut(const LiftStep& step, int position) {
  const std::string listed = ListedName(step);
  auto& output =
      step.editor.AddBodyOutput(step.scope, position, listed, step.name);
  const auto& infos = step.editor.scope(step.scope).graph->value_info();
  if (HasElementType(step.type) &&
      std::any_of(infos.begin(), infos.end(),
                  [&](const auto& info) { return info.name() == listed; })) {
    *output.mutable_type() = step.type;
  }
  return output;
}

}  // namespace onnx_expose
