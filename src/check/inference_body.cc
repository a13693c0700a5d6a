#include "check/inference_body.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "support/text.h"

namespace onnx_expose {

std::vector<const onnx::TypeProto*> Inference::Body::doInferencing(
    const std::vector<const onnx::TypeProto*>& inputs,
    const std::vector<const onnx::TensorProto*>& /*data*/) {
  const onnx::GraphProto& graph = *inference_.subject_.graph(scope_);
  CheckInputs(graph, inputs.size());
  Frame frame(scope_, &outer_);
  inference_.Enter(frame);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto& input = graph.input(static_cast<int>(i));
    if (inputs[i] == nullptr) continue;
    onnx::TypeProto given = *inputs[i];
    if (!Tame(given, inference_.symbols_)) continue;
    if (inference_.FitsDeclared(frame, "input", input.name(), input.type(),
                                given, -1)) {
      FillIn(given, input.type());
    }
    frame.types[input.name()] = std::move(given);
  }
  inference_.AddInitializers(frame, graph);
  inference_.Walk(frame);
  if (frame.failed) throw InnerFailure();
  return Outputs(frame, graph);
}

// As the library has it.
void Inference::Body::CheckInputs(const onnx::GraphProto& graph,
                                  size_t given) const {
  const auto wanted = static_cast<size_t>(graph.input_size());
  const int64_t ir = inference_.subject_.model.ir_version();
  const std::string place = inference_.subject_.places.Scope(scope_);
  const bool optional_inputs = ir > 0 && ir < 4;
  if (given > wanted || (given < wanted && !optional_inputs)) {
    throw std::runtime_error(fmt::format("gives {} {}, which has {}", place,
                                         Counted(given, "input"), wanted));
  }
  if (optional_inputs) return;
  std::unordered_set<std::string_view> names;
  for (const auto& input : graph.input()) names.insert(input.name());
  for (const auto& tensor : graph.initializer()) {
    if (names.count(tensor.name()) == 0) continue;
    throw std::runtime_error(
        fmt::format("has an input and an initializer of the name {} in {}",
                    Quoted(tensor.name()), place));
  }
}

// An output that isn't a node's has the type that is declared, or none.
std::vector<const onnx::TypeProto*> Inference::Body::Outputs(
    Frame& frame, const onnx::GraphProto& graph) {
  const GraphIndex& index = inference_.subject_.index;
  outputs_.clear();
  for (const auto& output : graph.output()) {
    const int value = index.FindIn(scope_, output.name());
    const bool of_node =
        value >= 0 && index.values()[static_cast<size_t>(value)].node >= 0;
    const auto known = frame.types.find(output.name());
    if (of_node && known != frame.types.end()) {
      outputs_.push_back(known->second);
      continue;
    }
    outputs_.push_back(output.type());
    if (!Tame(outputs_.back(), inference_.symbols_)) outputs_.back().Clear();
  }
  std::vector<const onnx::TypeProto*> types;
  for (const auto& type : outputs_) types.push_back(&type);
  return types;
}

}  // namespace onnx_expose
