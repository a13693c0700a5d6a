#include <fmt/format.h>
#include <onnx/checker.h>

#include <algorithm>
#include <exception>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "check/call_graph.h"
#include "check/rules.h"
#include "model/op_schemas.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// Limits of the ONNX checker; ONNX Runtime has the same depth.
constexpr int kMostFunctions = 10000;
constexpr size_t kDeepestCalls = 100;

// One function by itself.
class FunctionRules {
 public:
  FunctionRules(Subject& subject, int scope)
      : subject_(subject),
        scope_(scope),
        function_(*subject.index.scopes()[static_cast<size_t>(scope)].function),
        place_(subject.places.Scope(scope)) {}

  void Check() {
    if (function_.name().empty()) Error("has no name");
    if (!function_.has_domain() && subject_.model.ir_version() >= 8) {
      Error("has no domain");
    }
    CheckNames("input", function_.input());
    CheckNames("output", function_.output());
    CheckNames("attribute", function_.attribute());
    CheckOutputs();
  }

  // The operators of the function's opsets must be those of the model's.
  void CheckOpsets(const Imports& model_imports) {
    const Imports& imports = subject_.imports(scope_);
    onnx::checker::CheckerContext context;
    context.set_schema_registry(&OpSchemas::Instance());
    for (const int node : subject_.nodes[static_cast<size_t>(scope_)]) {
      const onnx::NodeProto& proto = subject_.node(node);
      // The checker wants the spelling; what isn't imported is said already.
      if (imports.count(proto.domain()) == 0) continue;
      try {
        onnx::checker::check_opset_compatibility(proto, context, imports,
                                                 model_imports);
      } catch (const std::exception&) {
        subject_.findings.Error(
            subject_.places.Node(node),
            fmt::format("is another version of the operator in opset {} of {}, "
                        "which the function imports, than in opset {}, which "
                        "the model imports",
                        imports.at(proto.domain()), DomainText(proto.domain()),
                        model_imports.at(proto.domain())),
            "ONNX Runtime takes it");
      }
    }
  }

 private:
  void Error(std::string what, std::string note = "") {
    subject_.findings.Error(place_, std::move(what), std::move(note));
  }

  void CheckNames(const char* kind,
                  const google::protobuf::RepeatedPtrField<std::string>& list) {
    std::unordered_set<std::string_view> seen;
    for (const std::string& name : list) {
      if (name.empty()) {
        Error(fmt::format("has an {} without a name", kind), kOnlyOrtRefuses);
      } else if (!seen.insert(name).second) {
        Error(fmt::format("lists the {} {} twice", kind, Quoted(name)));
      }
    }
  }

  void CheckOutputs() {
    for (const std::string& name : function_.output()) {
      if (name.empty()) continue;
      if (std::find(function_.input().begin(), function_.input().end(), name) !=
          function_.input().end()) {
        Error(fmt::format("hands on its input {} as an output", Quoted(name)),
              kOnlyOrtRefuses);
      } else if (subject_.index.FindIn(scope_, name) < 0) {
        Error(fmt::format("doesn't compute its output {}", Quoted(name)),
              kOnlyOrtRefuses);
      }
    }
  }

  Subject& subject_;
  const int scope_;
  const onnx::FunctionProto& function_;
  const std::string place_;
};

// Of functions of one name the first counts.
void CheckIds(Subject& subject) {
  std::unordered_set<std::string> seen;
  for (const Scope& scope : subject.index.scopes()) {
    if (scope.function == nullptr || seen.insert(scope.path).second) continue;
    subject.findings.Error("function " + Quoted(scope.path), "is there twice");
    subject.no_inference = "two functions have the same name";
  }
  if (seen.size() > kMostFunctions) {
    subject.findings.Error(
        "model",
        fmt::format(
            "has {} functions, more than the {} the ONNX checker allows",
            seen.size(), kMostFunctions));
  }
}

void CheckCalls(Subject& subject) {
  for (size_t i = 0; i < subject.index.nodes().size(); ++i) {
    const int node = static_cast<int>(i);
    const int callee = subject.index.Callee(node);
    if (callee < 0) continue;
    const auto& function =
        *subject.index.scopes()[static_cast<size_t>(callee)].function;
    const auto error = [&](int given, int wanted, const char* kind) {
      subject.findings.Error(
          subject.places.Node(node),
          fmt::format("has {}; {} has {}",
                      Counted(static_cast<uint64_t>(given), kind),
                      subject.places.Scope(callee), wanted),
          kOnlyOrtRefuses);
    };
    const onnx::NodeProto& call = subject.node(node);
    // Inputs may be left out; outputs nobody wants still have an empty name.
    if (call.input_size() > function.input_size()) {
      error(call.input_size(), function.input_size(), "input");
    }
    if (call.output_size() != function.output_size()) {
      error(call.output_size(), function.output_size(), "output");
    }
  }
}

void CheckCallGraph(Subject& subject) {
  const CallGraph calls(subject.index, subject.root);
  for (const std::vector<int>& cycle : calls.Cycles()) {
    std::vector<std::string> others;
    for (size_t i = 1; i < cycle.size(); ++i) {
      others.push_back(
          subject.index.scopes()[static_cast<size_t>(cycle[i])].path);
    }
    subject.findings.Error(subject.places.Scope(cycle[0]),
                           others.empty()
                               ? "calls itself"
                               : "calls itself through " + NameList(others));
    subject.no_inference = "a function calls itself";
  }
  if (calls.depth() > kDeepestCalls) {
    subject.findings.Error(
        "model", fmt::format("functions call each other {} deep; the ONNX "
                             "checker and ONNX Runtime allow {}",
                             calls.depth(), kDeepestCalls));
    subject.no_inference = "functions call each other too deep";
  }
}

}  // namespace

void CheckFunctions(Subject& subject) {
  if (subject.model.functions_size() == 0) return;
  // As the checker does: what the model doesn't import itself is taken from
  // the first function that does.
  Imports model_imports = subject.imports_of_root[0];
  const auto& scopes = subject.index.scopes();
  for (size_t i = 0; i < scopes.size(); ++i) {
    if (scopes[i].function == nullptr) continue;
    for (const auto& entry : scopes[i].function->opset_import()) {
      const auto& own = subject.imports_of_root[i];
      model_imports.emplace(entry.domain(), own.at(entry.domain()));
    }
  }
  CheckIds(subject);
  for (size_t i = 0; i < scopes.size(); ++i) {
    if (scopes[i].function == nullptr) continue;
    FunctionRules rules(subject, static_cast<int>(i));
    rules.Check();
    rules.CheckOpsets(model_imports);
  }
  CheckCalls(subject);
  CheckCallGraph(subject);
}

}  // namespace onnx_expose
