#include <fmt/format.h>
#include <onnx/checker.h>
#include <onnx/defs/schema.h>

#include <exception>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/prepared_node.h"
#include "check/rules.h"
#include "model/op_schemas.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

namespace checker = onnx::checker;

// ONNX Runtime keeps a table of node names for each graph.
void CheckNames(Subject& subject, int scope) {
  std::unordered_map<std::string_view, int> seen;
  for (const int node : subject.nodes[static_cast<size_t>(scope)]) {
    const std::string& name = subject.node(node).name();
    // ONNX Runtime makes initializers of these before it looks.
    if (subject.node(node).op_type() == "Constant") continue;
    // Once for each name, at its second node.
    if (!name.empty() && ++seen[name] == 2) {
      subject.findings.Error(
          subject.places.Node(node),
          fmt::format("is not the only node called {}", Quoted(name)),
          kOnlyOrtRefuses);
    }
  }
}

class NodeRules {
 public:
  explicit NodeRules(Subject& subject) : subject_(subject) {}

  void Check(int scope) {
    checker::CheckerContext context;
    const int64_t ir = subject_.model.ir_version();
    context.set_ir_version(ir > 0 && ir <= onnx::IR_VERSION
                               ? static_cast<int>(ir)
                               : static_cast<int>(onnx::IR_VERSION));
    context.set_opset_imports(subject_.imports(scope));
    context.set_is_main_graph(
        subject_.index.scopes()[static_cast<size_t>(scope)].kind !=
        Scope::Kind::kBody);
    for (const int node : subject_.nodes[static_cast<size_t>(scope)]) {
      Check(node, scope, context);
    }
  }

  void ReportUnknownOps() const {
    for (const auto& [key, nodes] : unknown_) {
      const auto& [root, op] = key;
      std::vector<std::string> names;
      for (const int node : nodes) {
        const auto& proto = subject_.node(node);
        names.push_back(proto.name().empty() ? proto.op_type() : proto.name());
      }
      subject_.findings.Warning(
          root == 0 ? "model" : subject_.places.Scope(root),
          fmt::format("operator {} is neither in the standard nor a function "
                      "of the model; {} it: {}",
                      Quoted(op),
                      nodes.size() == 1
                          ? "a node calls"
                          : fmt::format("{} nodes call", nodes.size()),
                      NameList(names)),
          "ONNX Runtime refuses it unless the operator is registered with it");
    }
  }

 private:
  void Check(int node, int scope, const checker::CheckerContext& context) {
    const onnx::NodeProto& proto = subject_.node(node);
    const int version = FindImport(subject_.imports(scope), proto.domain());
    // Reported with the imports.
    if (version < 1) return;
    if (!proto.op_type().empty() &&
        !CheckOperator(node, scope, version, proto)) {
      return;
    }
    try {
      const PreparedNode prepared(proto);
      checker::check_node(prepared.node(), context,
                          checker::LexicalScopeContext());
      subject_.sound[static_cast<size_t>(node)] = true;
    } catch (const std::exception& error) {
      subject_.findings.Error(subject_.places.Node(node),
                              CleanMessage(error.what()));
    }
  }

  // Whether there is an operator, or something else that may be right.
  bool CheckOperator(int node, int scope, int version,
                     const onnx::NodeProto& proto) {
    const std::string place = subject_.places.Node(node);
    if (checker::check_is_experimental_op(proto)) {
      subject_.findings.Error(
          place, "is one of the experimental operators that are gone",
          kOnlyOrtRefuses);
      return false;
    }
    const auto* schema = OpSchemas::Instance().GetSchema(
        proto.op_type(), version, proto.domain());
    if (schema != nullptr || subject_.index.Callee(node) >= 0) return true;
    const int newest = NewestOpset(proto.domain());
    if (newest == 0) {
      if (!IsRuntimeDomain(proto.domain())) {
        unknown_[{subject_.root[static_cast<size_t>(scope)],
                  proto.domain() + "::" + proto.op_type()}]
            .push_back(node);
      }
      return true;
    }
    const std::string what = fmt::format("is no operator of {} in opset {}",
                                         DomainText(proto.domain()), version);
    if (version > newest) {
      subject_.findings.CheckerWarning(place, what,
                                       "the opset is newer than this program");
    } else {
      subject_.findings.Error(place, what, ElsewhereNote(proto));
    }
    return false;
  }

  // Where else there is an operator of this name.
  static std::string ElsewhereNote(const onnx::NodeProto& proto) {
    if (proto.domain() == "ai.onnx") {
      return "ONNX Runtime takes it for the default domain, the ONNX checker "
             "does not";
    }
    const auto* later = OpSchemas::Instance().GetSchema(
        proto.op_type(), std::numeric_limits<int>::max(), proto.domain());
    return later == nullptr
               ? ""
               : fmt::format("it is there in opset {}", later->SinceVersion());
  }

  Subject& subject_;
  // By root scope and operator: the nodes that call it.
  std::map<std::pair<int, std::string>, std::vector<int>> unknown_;
};

}  // namespace

void CheckNodes(Subject& subject) {
  NodeRules rules(subject);
  for (size_t i = 0; i < subject.index.scopes().size(); ++i) {
    CheckNames(subject, static_cast<int>(i));
    rules.Check(static_cast<int>(i));
  }
  rules.ReportUnknownOps();
}

}  // namespace onnx_expose
