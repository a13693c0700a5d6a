#include "model/inference_copy.h"

#include <fmt/format.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <exception>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "model/function_calls.h"
#include "model/mutable_scopes.h"
#include "model/op_schemas.h"
#include "model/outer_constants.h"
#include "model/symbols.h"
#include "model/tensors.h"
#include "model/topological_order.h"
#include "onnx_expose/skeleton.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// A domain nobody has a schema for: inference leaves such nodes alone.
constexpr const char* kHiddenDomain = "onnx_expose.hidden";

std::map<std::string, int> Imports(
    const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& list) {
  std::map<std::string, int> imports;
  for (const auto& entry : list) {
    imports[std::string(NormalDomain(entry.domain()))] = static_cast<int>(
        std::min<int64_t>(std::max<int64_t>(entry.version(), 0), 1000000));
  }
  return imports;
}

}  // namespace

InferenceCopy::InferenceCopy(const GraphIndex& index)
    : index_(index),
      model_(
          *google::protobuf::Arena::CreateMessage<onnx::ModelProto>(&arena_)) {
  model_ = index.model();
  const std::vector<MutableScope> scopes = MutableScopes(index, model_);
  // Bodies in functions are not annotated by inference.
  for (const MutableScope& scope : scopes) {
    graphs_.push_back(scope.in_function ? nullptr : scope.graph);
  }
  ForgetDeclaredTypes();
  HideElidedTensors();
  HideInvalidNodes();
  BringConstantsIn(index, scopes);
  SortNodes(scopes);
  DropHostileFunctions();
  AddMissingImports();
}

void InferenceCopy::ForgetDeclaredTypes() {
  for (onnx::GraphProto* graph : graphs_) {
    if (graph == nullptr) continue;
    graph->clear_value_info();
    for (auto& output : *graph->mutable_output()) output.clear_type();
  }
  // Dims that mean "unknown" would be taken for sizes or symbols.
  for (auto& input : *model_.mutable_graph()->mutable_input()) {
    Symbols known;
    CollectSymbols(input.type(), known);
    ForgetSymbols(*input.mutable_type(), known);
    if (!input.type().ByteSizeLong()) input.clear_type();
  }
}

// Inference must take data that isn't here for unknown, not for empty: it does
// so for external tensors.
void InferenceCopy::HideElidedTensors() {
  ForEachTensor(model_, [](onnx::TensorProto& tensor) {
    if (IsElided(tensor)) {
      tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    }
  });
}

// Inference functions trust that a node has the inputs, outputs and attributes
// its operator asks for.
void InferenceCopy::HideInvalidNodes() {
  const auto imports = Imports(model_.opset_import());
  for (onnx::GraphProto* graph : graphs_) {
    if (graph == nullptr) continue;
    for (auto& node : *graph->mutable_node()) {
      const std::string domain(NormalDomain(node.domain()));
      const auto version = imports.find(domain);
      if (version == imports.end()) continue;
      const auto* schema = OpSchemas::Instance().GetSchema(
          node.op_type(), version->second, domain);
      if (schema == nullptr) continue;
      try {
        schema->Verify(node);
      } catch (const std::exception&) {
        node.set_domain(kHiddenDomain);
      }
    }
  }
}

void InferenceCopy::SortNodes(const std::vector<MutableScope>& scopes) {
  for (size_t i = 0; i < scopes.size(); ++i) {
    Reorder(*scopes[i].nodes(), TopologicalOrder(index_, static_cast<int>(i)));
  }
}

void InferenceCopy::DropHostileFunctions() {
  if (model_.functions().empty()) return;
  const FunctionCalls calls = CountFunctionCalls(index_);
  if (calls.total <= kMostInlinedNodes && calls.recursive.empty()) return;
  model_.clear_functions();
  if (calls.recursive.empty()) {
    warnings_.push_back(
        {fmt::format("the calls of model-local functions come to more than {} "
                     "nodes; no types are inferred through them",
                     kMostInlinedNodes),
         "ONNX Runtime inlines every call and may not end", ""});
    return;
  }
  const Scope& scope =
      index_.scopes()[static_cast<size_t>(calls.recursive.front())];
  warnings_.push_back(
      {fmt::format("the function {} calls itself; no types are inferred "
                   "through functions",
                   Quoted(scope.path)),
       "ONNX Runtime refuses such a model", ""});
}

// Inference throws at the first node whose domain isn't imported. Which version
// the default domain should be nobody knows; the others only need to be there.
void InferenceCopy::AddMissingImports() {
  const auto add = [](auto& list, const std::set<std::string>& domains) {
    const auto imports = Imports(list);
    for (const std::string& domain : domains) {
      if (domain.empty() || imports.count(domain) > 0) continue;
      auto* entry = list.Add();
      entry->set_domain(domain);
      entry->set_version(1);
    }
  };
  std::set<std::string> domains = {kHiddenDomain};
  for (const NodeRef& ref : index_.nodes()) {
    domains.emplace(NormalDomain(ref.node->domain()));
  }
  add(*model_.mutable_opset_import(), domains);
  for (auto& function : *model_.mutable_functions()) {
    add(*function.mutable_opset_import(), domains);
  }
}

void InferenceCopy::Infer() {
  onnx::ShapeInferenceOptions options;
  options.check_type = false;
  options.error_mode = 0;
  options.enable_data_propagation = true;
  onnx::shape_inference::DataValueMap data;
  try {
    onnx::shape_inference::InferShapes(model_, &OpSchemas::Instance(), options,
                                       &data);
  } catch (const std::exception& error) {
    std::string why = Printable(error.what());
    warnings_.push_back({"shape inference stopped before the end of the graph",
                         why.substr(0, 300), ""});
  }
  ReadTypes();
}

void InferenceCopy::ReadTypes() {
  found_.assign(index_.values().size(), nullptr);
  for (size_t i = 0; i < graphs_.size(); ++i) {
    if (graphs_[i] == nullptr) continue;
    const auto read = [&](onnx::ValueInfoProto& info) {
      const int value = index_.FindIn(static_cast<int>(i), info.name());
      if (value >= 0 && info.has_type()) {
        found_[static_cast<size_t>(value)] = info.mutable_type();
      }
    };
    for (auto& info : *graphs_[i]->mutable_value_info()) read(info);
    for (auto& info : *graphs_[i]->mutable_output()) read(info);
  }
}

const onnx::TypeProto* InferenceCopy::Find(int value) const {
  return found_.empty() ? nullptr : found_[static_cast<size_t>(value)];
}

void InferenceCopy::Set(int value, const onnx::TypeProto& type) {
  if (Find(value) != nullptr) {
    *found_[static_cast<size_t>(value)] = type;
    return;
  }
  const Value& place = index_.values()[static_cast<size_t>(value)];
  auto* graph = graphs_[static_cast<size_t>(place.scope)];
  if (graph == nullptr) return;
  for (auto& output : *graph->mutable_output()) {
    if (output.name() == place.name) {
      *output.mutable_type() = type;
      return;
    }
  }
  auto* info = graph->add_value_info();
  info->set_name(std::string(place.name));
  *info->mutable_type() = type;
}

}  // namespace onnx_expose
