#include "rewriter/added_output.h"

#include <fmt/format.h>

#include "model/marks.h"
#include "onnx_expose/value_types.h"
#include "rewriter/provenance.h"
#include "support/text.h"

namespace onnx_expose {

TypeState StateOf(const onnx::TypeProto& type) {
  if (!HasElementType(type)) return TypeState::kUnknown;
  const bool ranked =
      !(type.has_tensor_type() || type.has_sparse_tensor_type()) ||
      HasRank(type);
  return ranked ? TypeState::kComplete : TypeState::kRankUnknown;
}

std::string OutputDoc(const GraphIndex& index, const Value& value) {
  const NodeRef& ref = index.nodes()[static_cast<size_t>(value.node)];
  const std::string& scope =
      index.scopes()[static_cast<size_t>(value.scope)].path;
  return fmt::format(
             "{}{} output {}{}", kMark, index.Describe(value.node),
             value.output,
             scope.empty() ? "" : fmt::format(" in {}", Quoted(scope))) +
         (ref.node->domain().empty()
              ? ""
              : fmt::format(" (domain {})", Printable(ref.node->domain())));
}

ExposedValue Origin(const GraphIndex& index, const Value& value) {
  const onnx::NodeProto& node =
      *index.nodes()[static_cast<size_t>(value.node)].node;
  ExposedValue origin;
  origin.value = std::string(value.name);
  origin.scope = index.scopes()[static_cast<size_t>(value.scope)].path;
  origin.op_type = node.op_type();
  origin.domain = node.domain();
  origin.node = node.name();
  origin.output = value.output;
  return origin;
}

const std::string& AppendOutput(onnx::GraphProto& graph,
                                const std::string& name,
                                const onnx::TypeProto& type,
                                const std::string& doc) {
  auto* output = graph.add_output();
  output->set_name(name);
  if (HasElementType(type)) *output->mutable_type() = type;
  output->set_doc_string(doc);
  return output->name();
}

}  // namespace onnx_expose
