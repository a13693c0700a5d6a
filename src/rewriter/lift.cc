#include "rewriter/lift.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <map>
#include <optional>
#include <utility>

#include "model/function_calls.h"
#include "rewriter/body_editor.h"
#include "rewriter/initial_nodes.h"
#include "rewriter/lift_step.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// Comes behind every body of a node.
constexpr int kNodeItself = INT_MAX;
// A function called from functions called twice each has 2^n instances.
constexpr size_t kMostInstances = 100000;

// A value on its way out.
struct Climber {
  int value;          // as it was asked for
  const void* scope;  // the graph or function that defines it now
  std::string name;   // there
  std::vector<int> order;
};

const void* ScopeKey(const Scope& scope) {
  return scope.graph != nullptr ? static_cast<const void*>(scope.graph)
                                : static_cast<const void*>(scope.function);
}

// One try on a model of its own: everything climbs level by level until it is
// in the main graph. Values that can't are named in failed().
class Climb {
 public:
  Climb(onnx::ModelProto& model, const InferOptions& infer, bool last,
        Provenance& record)
      : model_(model), infer_(infer), last_(last), record_(record) {}

  void Run(const std::vector<int>& values) {
    Start(values);
    while (!climbers_.empty() && failed_.empty()) Level();
    MoveInitialNodes(model_);
  }

  std::vector<LiftedValue>& done() { return done_; }
  const std::map<int, std::string>& failed() const { return failed_; }

 private:
  void Start(const std::vector<int>& values) {
    const GraphIndex index(model_);
    names_.emplace(index);
    for (const int i : values) {
      const Value& value = index.values()[static_cast<size_t>(i)];
      climbers_.push_back(
          {i, ScopeKey(index.scopes()[static_cast<size_t>(value.scope)]),
           std::string(value.name),
           OrderOf(index.nodes()[static_cast<size_t>(value.node)].own_index,
                   value.output)});
    }
  }

  void Level() {
    const GraphIndex index(model_);
    const ValueTypes types = InferTypes(index, infer_);
    const ValueTypes proof = Proof(index, types);
    BodyEditor editor(index, model_, *names_, record_);
    std::map<const void*, int> scopes;
    for (size_t i = 0; i < index.scopes().size(); ++i) {
      scopes[ScopeKey(index.scopes()[i])] = static_cast<int>(i);
    }
    std::vector<Climber> next;
    for (const Climber& climber : climbers_) {
      const int scope = scopes.at(climber.scope);
      switch (index.scopes()[static_cast<size_t>(scope)].kind) {
        case Scope::Kind::kMain:
          done_.push_back({climber.value, climber.name, climber.order});
          break;
        case Scope::Kind::kBody:
          OutOfBody(index, types, proof, editor, scope, climber, next);
          break;
        case Scope::Kind::kFunction:
          OutOfFunction(index, editor, scope, climber, next);
          break;
      }
    }
    if (next.size() > kMostInstances) {
      throw Error(ExitCode::kRefused, "",
                  {fmt::format("the functions are called so often that more "
                               "than {} values would come out",
                               kMostInstances),
                   "", "select fewer values of functions"});
    }
    climbers_ = std::move(next);
  }

  // What inference proves without anybody's word.
  ValueTypes Proof(const GraphIndex& index, const ValueTypes& types) const {
    if (!types.seeded && infer_.infer) return types;
    InferOptions options = infer_;
    options.infer = true;
    options.declared = false;
    options.given.clear();
    return InferTypes(index, options);
  }

  // Symbols that are left in types are those of graph inputs, and have one
  // size for the whole run.
  static bool SameShape(onnx::TypeProto type) {
    if (!type.has_tensor_type() || !type.tensor_type().has_shape())
      return false;
    const auto& dims = type.tensor_type().shape().dim();
    return std::all_of(dims.begin(), dims.end(), [](const auto& dim) {
      return dim.has_dim_value() || dim.has_dim_param();
    });
  }

  void OutOfBody(const GraphIndex& index, const ValueTypes& types,
                 const ValueTypes& proof, BodyEditor& editor, int scope,
                 const Climber& climber, std::vector<Climber>& next) {
    const Scope& body = index.scopes()[static_cast<size_t>(scope)];
    const NodeRef& owner = index.nodes()[static_cast<size_t>(body.owner)];
    const auto value = static_cast<size_t>(index.FindIn(scope, climber.name));
    const LiftStep step = {index,
                           editor,
                           scope,
                           body.owner,
                           climber.name,
                           fmt::format("{}/{}/{}", index.Label(body.owner),
                                       body.attribute, climber.name),
                           types.types[value],
                           SameShape(proof.types[value]),
                           last_};
    const LiftOutcome outcome = Lift(*owner.node, step);
    if (outcome.name.empty()) {
      failed_.emplace(climber.value, outcome.obstacle);
      return;
    }
    const auto& bodies = index.BodiesOf(body.owner);
    const auto ordinal =
        std::find(bodies.begin(), bodies.end(), scope) - bodies.begin();
    Climber out = {climber.value,
                   ScopeKey(index.scopes()[static_cast<size_t>(owner.scope)]),
                   outcome.name,
                   {owner.own_index, static_cast<int>(ordinal)}};
    out.order.insert(out.order.end(), climber.order.begin(),
                     climber.order.end());
    next.push_back(std::move(out));
  }

  static LiftOutcome Lift(const onnx::NodeProto& owner, const LiftStep& step) {
    using Rule = LiftOutcome (*)(const LiftStep&);
    static const std::map<std::string, Rule> rules = {
        {"If", LiftOutOfIf},
        {"Loop", LiftOutOfLoop},
        {"Scan", LiftOutOfScan},
        {"SequenceMap", LiftOutOfSequenceMap}};
    const auto rule = rules.find(owner.op_type());
    if (rule == rules.end() || !NormalDomain(owner.domain()).empty()) {
      return {"", fmt::format("nothing comes out of a body of {}",
                              Quoted(owner.op_type()))};
    }
    return rule->second(step);
  }

  void OutOfFunction(const GraphIndex& index, BodyEditor& editor, int scope,
                     const Climber& climber, std::vector<Climber>& next) {
    auto& function = *editor.scope(scope).function;
    editor.RecordFunction(scope);
    std::string listed = climber.name;
    const auto& outputs = function.output();
    if (std::find(outputs.begin(), outputs.end(), listed) != outputs.end()) {
      // A function may not list an output twice.
      listed = editor.NewName(climber.name + "/copy");
      editor.Append(scope, "Identity", {climber.name}, listed);
    }
    const int count = function.output_size();
    function.add_output(listed);
    bool called = false;
    for (int i = 0; i < static_cast<int>(index.nodes().size()); ++i) {
      if (index.Callee(i) != scope) continue;
      called = true;
      editor.Record(i);
      auto& call = editor.node(i);
      PadOutputs(call, count);
      const std::string name =
          editor.NewName(index.Label(i) + "/" + climber.name);
      call.add_output(name);
      const NodeRef& ref = index.nodes()[static_cast<size_t>(i)];
      Climber out = {climber.value,
                     ScopeKey(index.scopes()[static_cast<size_t>(ref.scope)]),
                     name,
                     {ref.own_index, 0}};
      out.order.insert(out.order.end(), climber.order.begin(),
                       climber.order.end());
      next.push_back(std::move(out));
    }
    if (!called) failed_.emplace(climber.value, "its function is never called");
  }

  onnx::ModelProto& model_;
  const InferOptions& infer_;
  const bool last_;
  Provenance& record_;
  std::optional<UniqueNames> names_;
  std::vector<Climber> climbers_;
  std::vector<LiftedValue> done_;
  std::map<int, std::string> failed_;
};

void RefuseRecursion(const std::string& file, const GraphIndex& index,
                     const std::vector<int>& values) {
  const FunctionCalls calls = CountFunctionCalls(index);
  if (calls.recursive.empty()) return;
  for (const int i : values) {
    int scope = index.values()[static_cast<size_t>(i)].scope;
    while (index.scopes()[static_cast<size_t>(scope)].parent >= 0) {
      scope = index.scopes()[static_cast<size_t>(scope)].parent;
    }
    if (scope == 0) continue;
    throw Error(
        ExitCode::kInput, file,
        {fmt::format(
             "the function {} calls itself",
             Quoted(index.scopes()[static_cast<size_t>(calls.recursive.front())]
                        .path)),
         "its values have no end, and ONNX Runtime refuses such a model",
         "leave --deep out"});
  }
}

// Whether an earlier expose brought the value out.
bool IsOut(const GraphIndex& index, const Provenance& record, int value) {
  const Value& inner = index.values()[static_cast<size_t>(value)];
  const Scope& scope = index.scopes()[static_cast<size_t>(inner.scope)];
  const std::string name(inner.name);
  if (scope.graph != nullptr) return IsBroughtOut(*scope.graph, name);
  const auto& functions = index.model().functions();
  for (const auto& [function, count] : record.function_outputs) {
    if (function >= functions.size() ||
        &functions.Get(function) != scope.function) {
      continue;
    }
    for (int i = std::max(count, 0); i < scope.function->output_size(); ++i) {
      const int listed = index.FindIn(inner.scope, scope.function->output(i));
      if (listed == value) return true;
      if (listed < 0 || listed >= index.node_output_count()) continue;
      const Value& copy = index.values()[static_cast<size_t>(listed)];
      if (!copy.added) continue;
      const auto& node = *index.nodes()[static_cast<size_t>(copy.node)].node;
      if (node.op_type() == "Identity" && node.input(0) == name) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<int> OrderOf(int node_index, int output) {
  return {node_index, kNodeItself, output};
}

LiftResult LiftValues(Skeleton& model, const std::vector<int>& values,
                      const InferOptions& infer, bool last,
                      Provenance& record) {
  LiftResult result;
  std::vector<int> left;
  std::map<int, std::string> names;
  {
    const GraphIndex index(model.proto);
    RefuseRecursion(model.source->path(), index, values);
    for (const int i : values) {
      const Value& value = index.values()[static_cast<size_t>(i)];
      const std::string& path =
          index.scopes()[static_cast<size_t>(value.scope)].path;
      names[i] = fmt::format("{}/{}", path, value.name);
      if (IsOut(index, record, i)) {
        result.already.push_back(names[i]);
      } else {
        left.push_back(i);
      }
    }
  }
  // A value that turns out not to climb all the way must leave no trace.
  while (!left.empty()) {
    Skeleton attempt = model.Clone();
    Provenance attempt_record = record;
    Climb climb(attempt.proto, infer, last, attempt_record);
    climb.Run(left);
    if (climb.failed().empty()) {
      model.proto = attempt.proto;
      record = std::move(attempt_record);
      result.lifted = std::move(climb.done());
      break;
    }
    for (const auto& [value, obstacle] : climb.failed()) {
      result.skipped.push_back({names[value], obstacle});
      left.erase(std::remove(left.begin(), left.end(), value), left.end());
    }
  }
  return result;
}

}  // namespace onnx_expose
