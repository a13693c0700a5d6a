#include "onnx_expose/submodel.h"

#include <google/protobuf/unknown_field_set.h>
#include <google/protobuf/util/field_mask_util.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_set>

#include "model/topological_order.h"

namespace onnx_expose {
namespace {

using NameSet = std::unordered_set<std::string_view>;

// Indices in GraphIndex::nodes() of positions in the main graph's list.
std::vector<int> NodesAt(const GraphIndex& index,
                         const std::vector<int>& positions) {
  const std::vector<int> at = NodesOf(index, 0);
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

// All fields but these, unknown ones included: the lists of a graph are long,
// and a part takes little of them.
void CopyBut(const google::protobuf::Message& from,
             std::initializer_list<std::string_view> left_out,
             google::protobuf::Message& to) {
  google::protobuf::FieldMask mask;
  const auto& descriptor = *from.GetDescriptor();
  for (int i = 0; i < descriptor.field_count(); ++i) {
    const std::string& name = descriptor.field(i)->name();
    if (std::find(left_out.begin(), left_out.end(), name) == left_out.end()) {
      mask.add_paths(name);
    }
  }
  google::protobuf::util::FieldMaskUtil::MergeMessageTo(from, mask, {}, &to);
  to.GetReflection()->MutableUnknownFields(&to)->MergeFrom(
      from.GetReflection()->GetUnknownFields(from));
}

template <typename List, typename Keep>
void CopyIf(const List& from, List& to, Keep keep) {
  for (const auto& item : from) {
    if (keep(item)) *to.Add() = item;
  }
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

  Skeleton part;
  part.payloads = model.payloads;
  part.source = model.source;
  part.from_text = model.from_text;
  CopyBut(model.proto, {"graph", "training_info"}, part.proto);
  const onnx::GraphProto& whole = model.proto.graph();
  onnx::GraphProto& graph = *part.proto.mutable_graph();
  CopyBut(whole,
          {"node", "initializer", "sparse_initializer", "value_info",
           "quantization_annotation", "input", "output"},
          graph);
  for (const int position : options.nodes) {
    *graph.add_node() = whole.node(position);
  }
  const auto is_wanted = [&](const auto& tensor) {
    return wanted.count(tensor.name()) > 0;
  };
  CopyIf(whole.initializer(), *graph.mutable_initializer(), is_wanted);
  CopyIf(whole.sparse_initializer(), *graph.mutable_sparse_initializer(),
         [&](const auto& sparse) { return is_wanted(sparse.values()); });
  CopyIf(whole.value_info(), *graph.mutable_value_info(),
         [&](const auto& info) { return computed.count(info.name()) > 0; });
  for (const auto& [name, type] : options.inputs) {
    onnx::ValueInfoProto& input = *graph.add_input();
    input.set_name(name);
    *input.mutable_type() = type;
  }
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
