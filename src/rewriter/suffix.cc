#include "rewriter/suffix.h"

#include <fmt/format.h>

#include <utility>

#include "model/marks.h"
#include "model/opsets.h"
#include "onnx_expose/error.h"
#include "rewriter/provenance.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

bool IsCopy(const GraphIndex& index, int node) {
  const auto& proto = *index.nodes()[static_cast<size_t>(node)].node;
  return proto.op_type() == "Identity" && IsAdded(proto.doc_string());
}

}  // namespace

SuffixCopies::SuffixCopies(const GraphIndex& index, std::string suffix)
    : index_(index), suffix_(std::move(suffix)) {
  if (suffix_.empty()) return;
  for (const NodeRef& ref : index.nodes()) node_names_.insert(ref.node->name());
}

bool SuffixCopies::IsCopied(const Value& value) const {
  if (IsCopy(index_, value.node)) return true;
  const int copy = index_.FindIn(0, std::string(value.name) + suffix_);
  if (copy < 0 || copy >= index_.node_output_count()) return false;
  const Value& found = index_.values()[static_cast<size_t>(copy)];
  if (!found.is_output || !IsCopy(index_, found.node)) return false;
  const auto& node = *index_.nodes()[static_cast<size_t>(found.node)].node;
  return node.input_size() == 1 && node.input(0) == value.name;
}

std::string SuffixCopies::Obstacle(const onnx::TypeProto& type) const {
  const int opset = DefaultOpset(index_, 0);
  if (type.has_sequence_type() && opset < 14) {
    return "Identity copies sequences from opset 14 on";
  }
  if (type.has_optional_type() && opset < 16) {
    return "Identity copies optionals from opset 16 on";
  }
  if (type.has_map_type()) return "Identity copies no maps";
  if (type.has_sparse_tensor_type()) return "Identity copies no sparse tensors";
  return "";
}

std::string SuffixCopies::Append(const Value& value, onnx::GraphProto& graph) {
  std::string name = std::string(value.name) + suffix_;
  bool clash = !taken_.insert(name).second;
  for (size_t scope = 0; scope < index_.scopes().size() && !clash; ++scope) {
    clash = index_.FindIn(static_cast<int>(scope), name) >= 0;
  }
  if (clash) {
    throw Error(ExitCode::kRefused, "",
                {fmt::format("{} with suffix {} gives {}, a name the model has "
                             "already",
                             Quoted(value.name), Quoted(suffix_), Quoted(name)),
                 "", "choose another --suffix"});
  }
  std::string node_name = name;
  for (int i = 1; !node_names_.insert(node_name).second; ++i) {
    node_name = fmt::format("{}_{}", name, i);
  }
  auto* node = graph.add_node();
  node->add_input(std::string(value.name));
  node->add_output(name);
  node->set_name(node_name);
  node->set_op_type("Identity");
  node->set_doc_string(Added("copy of " + Quoted(value.name)));
  return name;
}

}  // namespace onnx_expose
