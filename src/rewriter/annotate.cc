#include "rewriter/annotate.h"

#include <fmt/format.h>

#include <string>
#include <unordered_set>

#include "model/marks.h"
#include "support/text.h"

namespace onnx_expose {

bool AnnotateTypes(onnx::GraphProto& graph, const GraphIndex& index,
                   const ValueTypes& types) {
  std::unordered_set<std::string> taken;
  for (const auto& info : graph.value_info()) taken.insert(info.name());
  for (const auto& output : graph.output()) taken.insert(output.name());
  bool any = false;
  for (int i = 0; i < index.node_output_count(); ++i) {
    const Value& value = index.values()[static_cast<size_t>(i)];
    const auto& type = types.types[static_cast<size_t>(i)];
    if (value.scope != 0 || !HasElementType(type)) continue;
    std::string name(value.name);
    if (!taken.insert(name).second) continue;
    auto* info = graph.add_value_info();
    info->set_name(std::move(name));
    *info->mutable_type() = type;
    info->set_doc_string(Marked("inferred"));
    any = true;
  }
  return any;
}

void AnnotateNodes(onnx::GraphProto& graph, const GraphIndex& index,
                   const ValueTypes& types, const std::vector<int>& values,
                   Provenance& record) {
  for (const int i : values) {
    const Value& value = index.values()[static_cast<size_t>(i)];
    const NodeRef& ref = index.nodes()[static_cast<size_t>(value.node)];
    const int position = ref.own_index;
    auto& node = *graph.mutable_node(ref.index);
    const std::string line = fmt::format(
        "{}{} -> {} {}", kMark, Printable(node.op_type()), Quoted(value.name),
        Printable(TypeText(types.types[static_cast<size_t>(i)])));
    if (node.doc_string().find(line) != std::string::npos) continue;
    if (!IsAdded(node.doc_string()) && record.node_docs.count(position) == 0) {
      auto& before = record.node_docs[position];
      if (node.has_doc_string()) before = node.doc_string();
    }
    node.set_doc_string(
        node.doc_string().empty() ? line : node.doc_string() + "\n" + line);
  }
}

}  // namespace onnx_expose
