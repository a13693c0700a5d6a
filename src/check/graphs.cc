#include <fmt/format.h>

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "check/rules.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// The names of one graph.
class GraphRules {
 public:
  GraphRules(Subject& subject, int scope)
      : subject_(subject), scope_(scope), graph_(*subject.graph(scope)) {}

  void Check() {
    if (graph_.name().empty()) {
      Error(subject_.places.Scope(scope_), "has no name",
            scope_ == 0 ? kOrtTakesIt : "");
    }
    CheckInputs();
    CheckInitializers();
    CheckInitializersAreInputs();
    CheckOutputs();
  }

 private:
  // "input 'x'", "input 3" when it has no name.
  std::string Place(std::string_view kind, const std::string& name, int i) {
    return subject_.places.In(
        scope_, name.empty() ? fmt::format("{} {}", kind, i)
                             : fmt::format("{} {}", kind, Quoted(name)));
  }

  void Error(std::string place, std::string what, std::string note = "") {
    subject_.findings.Error(std::move(place), std::move(what), std::move(note));
  }

  void CheckInputs() {
    for (int i = 0; i < graph_.input_size(); ++i) {
      const std::string& name = graph_.input(i).name();
      if (name.empty()) {
        Error(Place("input", name, i), "has no name");
      } else if (!inputs_.insert(name).second) {
        Error(Place("input", name, i), "is there twice");
      }
    }
  }

  void CheckInitializers() {
    std::unordered_set<std::string_view> seen;
    const auto check = [&](const std::string& name, int i) {
      if (name.empty()) {
        Error(Place("initializer", name, i), "has no name");
      } else if (!seen.insert(name).second) {
        Error(Place("initializer", name, i), "is there twice",
              "ONNX Runtime takes the last one");
      }
    };
    for (int i = 0; i < graph_.initializer_size(); ++i) {
      check(graph_.initializer(i).name(), i);
    }
    for (int i = 0; i < graph_.sparse_initializer_size(); ++i) {
      check(graph_.sparse_initializer(i).values().name(),
            graph_.initializer_size() + i);
    }
  }

  // One finding for all: quantisers add them by the hundred.
  void CheckInitializersAreInputs() {
    const int64_t ir = subject_.model.ir_version();
    if (ir <= 0 || ir > 3) return;
    std::vector<std::string> names;
    for (const auto& tensor : graph_.initializer()) {
      if (!tensor.name().empty() && inputs_.count(tensor.name()) == 0) {
        names.push_back(tensor.name());
      }
    }
    if (names.empty()) return;
    Error(subject_.places.Scope(scope_),
          fmt::format("in IR version {} initializers must be graph inputs, and "
                      "{} not: {}",
                      ir,
                      names.size() == 1 ? "one is"
                                        : fmt::format("{} are", names.size()),
                      NameList(names)),
          scope_ == 0 ? kOrtTakesIt : "");
  }

  void CheckOutputs() {
    std::unordered_set<std::string_view> seen;
    for (int i = 0; i < graph_.output_size(); ++i) {
      const std::string& name = graph_.output(i).name();
      const std::string place = Place("output", name, i);
      if (name.empty()) {
        Error(place, "has no name");
        continue;
      }
      // A body may hand out a value as its state and as a scan output.
      if (!seen.insert(name).second && scope_ == 0) {
        subject_.findings.Warning(
            place, "is there twice",
            "readers disagree about how many outputs the model has");
      }
      const int value = subject_.index.FindIn(scope_, name);
      if (value < 0) {
        CheckUndefined(name, place);
      } else if (scope_ == 0 && IsSparseConstant(value)) {
        subject_.findings.Warning(
            place, "is a sparse Constant",
            "ONNX Runtime loads the model and fails to run it; an Identity "
            "between the two helps");
      }
    }
  }

  void CheckUndefined(const std::string& name, const std::string& place) {
    if (subject_.index.Resolve(scope_, name) >= 0) {
      Error(place, "is a value from around the body, not one of its own",
            "an Identity in the body makes it one");
    } else {
      Error(place, "is defined by no node, input or initializer of the graph");
    }
  }

  bool IsSparseConstant(int value) {
    const int node = subject_.index.values()[static_cast<size_t>(value)].node;
    if (node < 0 || subject_.node(node).op_type() != "Constant") return false;
    for (const auto& attribute : subject_.node(node).attribute()) {
      if (attribute.has_sparse_tensor()) return true;
    }
    return false;
  }

  Subject& subject_;
  const int scope_;
  const onnx::GraphProto& graph_;
  std::unordered_set<std::string_view> inputs_;
};

// Whether a value_info entry of the main graph describes a value of a function,
// as models before IR version 10 have them: "domain::function/value".
bool NamesFunctionValue(const std::unordered_set<std::string>& functions,
                        const std::string& name) {
  const size_t colons = name.find("::");
  if (functions.empty() || colons == std::string::npos) return false;
  const size_t slash = name.find('/', colons);
  return slash != std::string::npos &&
         functions.count(name.substr(0, slash)) > 0;
}

// One finding for all of a scope: quantisers leave dozens behind.
void CheckStaleValueInfo(Subject& subject, int scope,
                         const std::unordered_set<std::string>& functions) {
  const Scope& here = subject.index.scopes()[static_cast<size_t>(scope)];
  std::vector<std::string> stale;
  for (const auto& info : here.graph != nullptr ? here.graph->value_info()
                                                : here.function->value_info()) {
    if (subject.index.FindIn(scope, info.name()) < 0 &&
        !(scope == 0 && NamesFunctionValue(functions, info.name()))) {
      stale.push_back(info.name());
    }
  }
  if (stale.empty()) return;
  subject.findings.Warning(
      subject.places.Scope(scope),
      stale.size() == 1
          ? fmt::format("an entry of value_info names no value: {}",
                        NameList(stale))
          : fmt::format("{} entries of value_info name no value: {}",
                        stale.size(), NameList(stale)));
}

}  // namespace

void CheckGraphs(Subject& subject) {
  std::unordered_set<std::string> functions;
  for (const Scope& scope : subject.index.scopes()) {
    if (scope.function != nullptr) functions.insert(scope.path);
  }
  for (size_t i = 0; i < subject.index.scopes().size(); ++i) {
    const int scope = static_cast<int>(i);
    if (subject.graph(scope) != nullptr) GraphRules(subject, scope).Check();
    CheckStaleValueInfo(subject, scope, functions);
  }
}

}  // namespace onnx_expose
