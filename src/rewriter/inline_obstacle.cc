#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/function_calls.h"
#include "model/op_schemas.h"
#include "model/operators.h"
#include "rewriter/inline_calls.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// The version of a domain that the scope's model or function imports.
std::optional<int> ImportIn(const GraphIndex& index, int scope,
                            std::string_view domain) {
  while (index.scopes()[static_cast<size_t>(scope)].parent >= 0) {
    scope = index.scopes()[static_cast<size_t>(scope)].parent;
  }
  const auto* function = index.scopes()[static_cast<size_t>(scope)].function;
  for (const auto& entry : function != nullptr ? function->opset_import()
                                               : index.model().opset_import()) {
    if (NormalDomain(entry.domain()) == NormalDomain(domain)) {
      return static_cast<int>(entry.version());
    }
  }
  return std::nullopt;
}

// Whether a node means the same in another scope's opsets.
bool MeansTheSame(const GraphIndex& index, int node, int scope) {
  const NodeRef& ref = index.nodes()[static_cast<size_t>(node)];
  const std::string domain(NormalDomain(ref.node->domain()));
  const auto here = ImportIn(index, ref.scope, domain);
  const auto there = ImportIn(index, scope, domain);
  if (!there) return false;
  if (here == there || index.Callee(node) >= 0) return true;
  const auto schema = [&](int version) {
    return OpSchemas::Instance().GetSchema(ref.node->op_type(), version,
                                           domain);
  };
  // One schema object for all versions in which the operator is the same.
  return here && schema(*here) != nullptr && schema(*here) == schema(*there);
}

bool TakesGraphs(const onnx::NodeProto& node) {
  return std::any_of(
      node.attribute().begin(), node.attribute().end(),
      [](const onnx::AttributeProto& attribute) {
        return !attribute.ref_attr_name().empty() &&
               (attribute.type() == onnx::AttributeProto::GRAPH ||
                attribute.type() == onnx::AttributeProto::GRAPHS);
      });
}

}  // namespace

std::string InlineObstacle(const GraphIndex& index, int function) {
  if (CountFunctionCalls(index).total > kMostInlinedNodes) {
    return "the model's functions are called too often";
  }
  std::vector<int> inside;
  std::vector<int> callers;
  for (int i = 0; i < static_cast<int>(index.nodes().size()); ++i) {
    const NodeRef& ref = index.nodes()[static_cast<size_t>(i)];
    const int callee = index.Callee(i);
    if (callee >= 0 && FunctionOf(index, callee) == function) {
      callers.push_back(ref.scope);
      if (DrawsUnseeded(index, callee)) return "it draws random numbers";
    }
    if (FunctionOf(index, ref.scope) != function) continue;
    if (TakesGraphs(*ref.node)) return "it is called with a graph";
    inside.push_back(i);
  }
  for (const int node : inside) {
    for (const int caller : callers) {
      if (MeansTheSame(index, node, caller)) continue;
      const NodeRef& ref = index.nodes()[static_cast<size_t>(node)];
      return fmt::format("{} is another operator in the opset of its caller",
                         Quoted(ref.node->op_type()));
    }
  }
  return "";
}

}  // namespace onnx_expose
