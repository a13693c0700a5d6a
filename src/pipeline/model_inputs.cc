#include "pipeline/model_inputs.h"

#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

#include "model/index_bounds.h"
#include "model/symbols.h"

namespace onnx_expose {
namespace {

// From this IR version on an initializer that is an input may be overridden.
constexpr int64_t kFirstWithDefaults = 4;

void Describe(const onnx::TypeProto& type, InputInfo& info) {
  // "?", "-1" and the like name no size that two inputs share.
  Symbols symbols;
  CollectSymbols(type, symbols);
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType: {
      info.element_type = type.tensor_type().elem_type();
      if (!type.tensor_type().has_shape()) return;
      info.dims.emplace();
      for (const auto& dim : type.tensor_type().shape().dim()) {
        const bool fixed = dim.has_dim_value() && dim.dim_value() >= 0;
        const bool named = symbols.count(dim.dim_param()) > 0;
        info.dims->push_back({fixed ? dim.dim_value() : -1,
                              named ? dim.dim_param() : std::string()});
      }
      return;
    }
    case onnx::TypeProto::kSequenceType:
      info.kind = InputInfo::Kind::kSequence;
      info.element_type =
          type.sequence_type().elem_type().tensor_type().elem_type();
      return;
    case onnx::TypeProto::kOptionalType:
      Describe(type.optional_type().elem_type(), info);
      info.optional = true;
      return;
    case onnx::TypeProto::kMapType:
      info.kind = InputInfo::Kind::kMap;
      return;
    default:
      info.kind = InputInfo::Kind::kOther;
  }
}

}  // namespace

std::vector<InputInfo> ModelInputs(const GraphIndex& index,
                                   const ValueTypes& types) {
  const onnx::GraphProto& graph = index.model().graph();
  std::unordered_set<std::string_view> initializers;
  for (const auto& tensor : graph.initializer()) {
    initializers.insert(tensor.name());
  }
  for (const auto& tensor : graph.sparse_initializer()) {
    initializers.insert(tensor.values().name());
  }
  const std::map<std::string, int64_t> bounds = IndexBounds(index, types);
  std::vector<InputInfo> inputs;
  for (const auto& input : graph.input()) {
    InputInfo info;
    info.name = input.name();
    info.has_default = initializers.count(input.name()) > 0;
    if (info.has_default && index.model().ir_version() < kFirstWithDefaults) {
      continue;
    }
    info.type = TypeText(input.type());
    Describe(input.type(), info);
    const auto bound = bounds.find(info.name);
    if (bound != bounds.end()) info.index_bound = bound->second;
    inputs.push_back(std::move(info));
  }
  return inputs;
}

}  // namespace onnx_expose
