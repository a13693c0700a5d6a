#include "onnx_expose/submodel.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace onnx_expose {
namespace {

using NameSet = std::unordered_set<std::string_view>;

// Indices in GraphIndex::nodes() of positions in the main graph's list.
std::vector<int> NodesAt(const GraphIndex& index,
                         const std::vector<int>& positions) {
  std::vector<int> at(static_cast<size_t>(index.scopes()[0].nodes().size()));
  for (size_t i = 0; i < index.nodes().size(); ++i) {
    const NodeRef& node = index.nodes()[i];
    if (node.scope == 0)
      at[static_cast<size_t>(node.index)] = static_cast<int>(i);
  }
  std::vector<int> result;
  for (const int position : positions) {
    result.push_back(at[static_cast<size_t>(position)]);
  }
  return result;
}

// Main graph values that the nodes read, in order of first use.
std::vector<const Value*> ReadBy(const GraphIndex& index,
                                 const std::vector<int>& positions) {
  std::vector<const Value*> result;
  std::unordered_set<int> seen;
  for (const int node : NodesAt(index, positions)) {
    for (const int i : index.Reads(node)) {
      const Value& value = index.values()[static_cast<size_t>(i)];
      if (value.scope == 0 && seen.insert(i).second) result.push_back(&value);
    }
  }
  return result;
}

template <typename List, typename Keep>
void KeepIf(List& list, Keep keep) {
  int kept = 0;
  for (int i = 0; i < list.size(); ++i) {
    if (!keep(list.Get(i))) continue;
    if (kept != i) list.SwapElements(kept, i);
    ++kept;
  }
  list.DeleteSubrange(kept, list.size() - kept);
}

// Swaps the nodes to be kept to the front, in order, and drops the others.
void KeepNodes(google::protobuf::RepeatedPtrField<onnx::NodeProto>& list,
               const std::vector<int>& positions) {
  std::vector<int> where(static_cast<size_t>(list.size()));
  std::vector<int> who(where.size());
  for (size_t i = 0; i < where.size(); ++i) {
    where[i] = who[i] = static_cast<int>(i);
  }
  for (size_t i = 0; i < positions.size(); ++i) {
    const int to = static_cast<int>(i);
    const int from = where[static_cast<size_t>(positions[i])];
    const int other = who[i];
    list.SwapElements(to, from);
    who[static_cast<size_t>(from)] = other;
    where[static_cast<size_t>(other)] = from;
    who[i] = positions[i];
    where[static_cast<size_t>(positions[i])] = to;
  }
  const int kept = static_cast<int>(positions.size());
  list.DeleteSubrange(kept, list.size() - kept);
}

}  // namespace

Skeleton ExtractSubmodel(const Skeleton& model, const GraphIndex& index,
                         const SubmodelOptions& options) {
  NameSet wanted;
  for (const Value* value : ReadBy(index, options.nodes)) {
    wanted.insert(value->name);
  }
  wanted.insert(options.outputs.begin(), options.outputs.end());
  for (const auto& [name, type] : options.inputs) wanted.erase(name);
  NameSet computed;
  for (const int node : NodesAt(index, options.nodes)) {
    for (const int i : index.Writes(node)) {
      computed.insert(index.values()[static_cast<size_t>(i)].name);
    }
  }

  Skeleton part = model.Clone();
  part.proto.clear_training_info();
  onnx::GraphProto& graph = *part.proto.mutable_graph();
  KeepNodes(*graph.mutable_node(), options.nodes);
  const auto is_wanted = [&](const auto& tensor) {
    return wanted.count(tensor.name()) > 0;
  };
  KeepIf(*graph.mutable_initializer(), is_wanted);
  KeepIf(*graph.mutable_sparse_initializer(),
         [&](const auto& sparse) { return is_wanted(sparse.values()); });
  KeepIf(*graph.mutable_value_info(),
         [&](const auto& info) { return computed.count(info.name()) > 0; });
  graph.clear_quantization_annotation();
  graph.clear_input();
  for (const auto& [name, type] : options.inputs) {
    onnx::ValueInfoProto& input = *graph.add_input();
    input.set_name(name);
    *input.mutable_type() = type;
  }
  graph.clear_output();
  for (const std::string& name : options.outputs) {
    graph.add_output()->set_name(name);
  }
  return part;
}

std::vector<std::string> InputsOf(const GraphIndex& index,
                                  const std::vector<int>& nodes) {
  NameSet computed;
  for (const int node : NodesAt(index, nodes)) {
    for (const int i : index.Writes(node)) {
      computed.insert(index.values()[static_cast<size_t>(i)].name);
    }
  }
  std::vector<std::string> inputs;
  for (const Value* value : ReadBy(index, nodes)) {
    if (value->kind == Value::Kind::kInitializer ||
        computed.count(value->name) > 0) {
      continue;
    }
    inputs.emplace_back(value->name);
  }
  return inputs;
}

}  // namespace onnx_expose
