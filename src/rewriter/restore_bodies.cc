#include "rewriter/restore_bodies.h"

#include "model/marks.h"
#include "rewriter/remove.h"

namespace onnx_expose {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

bool RemoveAdded(Nodes& nodes);

bool RemoveFromBody(onnx::GraphProto& body) {
  const auto marked = [](const onnx::ValueInfoProto& info, int) {
    return IsMarked(info.doc_string());
  };
  bool any = Remove(*body.mutable_output(), marked);
  any |= Remove(*body.mutable_input(), marked);
  return RemoveAdded(*body.mutable_node()) || any;
}

bool RemoveAdded(Nodes& nodes) {
  bool any = Remove(nodes, [](const onnx::NodeProto& node, int) {
    return IsAdded(node.doc_string());
  });
  for (auto& node : nodes) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) any |= RemoveFromBody(*attribute.mutable_g());
      for (auto& graph : *attribute.mutable_graphs()) {
        any |= RemoveFromBody(graph);
      }
    }
  }
  return any;
}

// The node a path leads to; null if the model has none there.
onnx::NodeProto* Find(onnx::ModelProto& model,
                      const Provenance::NodePath& path) {
  if (path.size() < 2 || path.size() % 2 != 0) return nullptr;
  if (path[0] >= model.functions_size()) return nullptr;
  Nodes* nodes = path[0] < 0 ? model.mutable_graph()->mutable_node()
                             : model.mutable_functions(path[0])->mutable_node();
  for (size_t i = 1;; i += 2) {
    if (path[i] < 0 || path[i] >= nodes->size()) return nullptr;
    onnx::NodeProto* node = nodes->Mutable(path[i]);
    if (i + 1 == path.size()) return node;
    const int attribute = path[i + 1];
    if (attribute < 0 || attribute >= node->attribute_size() ||
        !node->attribute(attribute).has_g()) {
      return nullptr;
    }
    nodes = node->mutable_attribute(attribute)->mutable_g()->mutable_node();
  }
}

void Restore(onnx::NodeProto& node, const Provenance::Node& before) {
  node.mutable_input()->Assign(before.inputs.begin(), before.inputs.end());
  node.mutable_output()->Assign(before.outputs.begin(), before.outputs.end());
  for (auto& attribute : *node.mutable_attribute()) {
    const auto ints = before.int_lists.find(attribute.name());
    if (ints == before.int_lists.end()) continue;
    attribute.mutable_ints()->Assign(ints->second.begin(), ints->second.end());
  }
}

}  // namespace

bool RestoreBodies(onnx::ModelProto& model, const Provenance& record) {
  bool any = RemoveAdded(*model.mutable_graph()->mutable_node());
  for (int i = 0; i < model.functions_size(); ++i) {
    auto& function = *model.mutable_functions(i);
    any |= RemoveAdded(*function.mutable_node());
    const auto outputs = record.function_outputs.find(i);
    if (outputs == record.function_outputs.end()) continue;
    while (function.output_size() > outputs->second &&
           function.output_size() > 0) {
      function.mutable_output()->RemoveLast();
    }
  }
  for (const auto& [path, before] : record.nodes_changed) {
    onnx::NodeProto* node = Find(model, path);
    if (node != nullptr) Restore(*node, before);
  }
  return any || !record.nodes_changed.empty();
}

}  // namespace onnx_expose
