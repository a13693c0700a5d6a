#include "cli/model_rows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace onnx_expose::cli {
namespace {

std::optional<uint64_t> BytesOf(const onnx::TypeProto& type) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return {};
  onnx::TensorProto tensor;
  tensor.set_data_type(type.tensor_type().elem_type());
  for (const auto& dim : type.tensor_type().shape().dim()) {
    if (!dim.has_dim_value() || dim.dim_value() < 0) return {};
    tensor.add_dims(dim.dim_value());
  }
  return TensorBytes(tensor);
}

std::optional<uint64_t> ElementsOf(const onnx::TensorProto& tensor) {
  uint64_t count = 1;
  for (const int64_t dim : tensor.dims()) {
    if (dim < 0 ||
        __builtin_mul_overflow(count, static_cast<uint64_t>(dim), &count)) {
      return {};
    }
  }
  return count;
}

// A dim that claims 2^63 elements is one of a broken file: it doesn't count.
void AddWeights(const onnx::TensorProto& tensor, ModelSummary& summary) {
  ++summary.initializers;
  summary.parameters += ElementsOf(tensor).value_or(0);
  summary.weight_bytes += TensorBytes(tensor).value_or(0);
}

void AddOps(const GraphIndex& index, ModelSummary& summary) {
  std::map<std::string, uint64_t> counts;
  for (const NodeRef& node : index.nodes()) {
    const std::string domain(NormalDomain(node.node->domain()));
    ++counts[domain.empty() ? node.node->op_type()
                            : domain + "::" + node.node->op_type()];
  }
  summary.ops.assign(counts.begin(), counts.end());
  std::stable_sort(
      summary.ops.begin(), summary.ops.end(),
      [](const auto& a, const auto& b) { return a.second > b.second; });
}

std::vector<std::pair<std::string, std::string>> NamedTypes(
    const google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& values) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& value : values) {
    result.emplace_back(value.name(), TypeText(value.type()));
  }
  return result;
}

}  // namespace

std::vector<int> AllValues(const GraphIndex& index) {
  std::vector<int> all;
  const auto count = static_cast<int>(index.values().size());
  for (int i = index.node_output_count(); i < count; ++i) {
    const Value& value = index.values()[static_cast<size_t>(i)];
    if (value.kind == Value::Kind::kInput && value.scope == 0) all.push_back(i);
  }
  for (int i = 0; i < index.node_output_count(); ++i) all.push_back(i);
  return all;
}

std::vector<ValueRow> RowsOf(const GraphIndex& index, const ValueTypes& types,
                             const std::vector<int>& values) {
  std::vector<ValueRow> rows;
  rows.reserve(values.size());
  for (const int i : values) {
    const auto at = static_cast<size_t>(i);
    const Value& value = index.values()[at];
    ValueRow row;
    row.op_type = "Input";
    if (value.node >= 0) {
      const NodeRef& ref = index.nodes()[static_cast<size_t>(value.node)];
      row.index = ref.index;
      row.op_type = ref.node->op_type();
      row.domain = NormalDomain(ref.node->domain());
      row.node = ref.node->name();
      row.output = value.output;
    }
    row.value = value.name;
    row.type = TypeText(types.types[at]);
    row.bytes = BytesOf(types.types[at]);
    row.is_output = value.is_output;
    row.constant = value.constant;
    row.scope = index.scopes()[static_cast<size_t>(value.scope)].path;
    rows.push_back(std::move(row));
  }
  return rows;
}

ModelSummary Summarize(const Skeleton& model, const GraphIndex& index) {
  const onnx::ModelProto& proto = model.proto;
  ModelSummary summary;
  summary.path = model.source->path();
  summary.ir_version = proto.ir_version();
  for (const auto& import : proto.opset_import()) {
    summary.opsets.emplace_back(NormalDomain(import.domain()),
                                import.version());
  }
  summary.producer = proto.producer_name();
  summary.producer_version = proto.producer_version();
  summary.graph = proto.graph().name();
  summary.inputs = NamedTypes(proto.graph().input());
  summary.outputs = NamedTypes(proto.graph().output());
  summary.nodes = index.nodes().size();
  AddOps(index, summary);
  for (const Scope& scope : index.scopes()) {
    if (scope.kind == Scope::Kind::kFunction) ++summary.functions;
    if (scope.kind == Scope::Kind::kBody) ++summary.bodies;
    if (scope.graph == nullptr) continue;
    for (const auto& tensor : scope.graph->initializer()) {
      AddWeights(tensor, summary);
    }
    for (const auto& tensor : scope.graph->sparse_initializer()) {
      AddWeights(tensor.values(), summary);
    }
  }
  summary.file_bytes = model.source->size();
  return summary;
}

}  // namespace onnx_expose::cli
