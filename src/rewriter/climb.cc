#include "rewriter/climb.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/opsets.h"
#include "rewriter/initial_nodes.h"
#include "rewriter/scan_loop.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

constexpr const char* kNeverCalled = "its function is never called";
// A function called from functions called twice each has 2^n instances.
constexpr size_t kMostInstances = 100000;

// Only names in the main graph are seen: on the way there none of those may be
// taken.
std::string NameIn(int scope, const std::string& shown) {
  return scope == 0 ? shown : shown + "/inner";
}

LiftOutcome Lift(const onnx::NodeProto& owner, const LiftStep& step) {
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

}  // namespace

Climb::Climb(onnx::ModelProto& model, const InferOptions& infer, bool last,
             Provenance& record)
    : model_(model),
      infer_(infer),
      last_(last),
      record_(record),
      names_(GraphIndex(model)),
      inlined_(model, names_) {}

void Climb::Run(const std::vector<int>& values, const std::set<int>& inlined) {
  Start(values, inlined);
  while (!climbers_.empty() && failed_.empty()) ClimbOnce();
  MoveInitialNodes(model_);
}

void Climb::Start(const std::vector<int>& values,
                  const std::set<int>& inlined) {
  std::vector<Climber> in_copies;
  {
    const GraphIndex index(model_);
    for (const int i : values) {
      const Value& value = index.values()[static_cast<size_t>(i)];
      const NodeRef& ref = index.nodes()[static_cast<size_t>(value.node)];
      const std::string name(value.name);
      auto& list = inlined.count(FunctionOf(index, value.scope)) > 0
                       ? in_copies
                       : climbers_;
      list.push_back(
          {i, ScopeKey(index.scopes()[static_cast<size_t>(value.scope)]), name,
           name, OrderOf(ref.own_index, value.output)});
    }
  }
  inlined_.Add(inlined);
  for (const Climber& climber : in_copies) {
    const auto places = inlined_.PlacesOf(climber.scope, climber.name);
    if (places.empty()) failed_[climber.value] = {kNeverCalled};
    for (const auto& place : places) {
      Climber copy = {climber.value, place.scope, place.name, place.shown,
                      place.call_order};
      copy.order.insert(copy.order.end(), climber.order.begin(),
                        climber.order.end());
      climbers_.push_back(std::move(copy));
    }
  }
}

void Climb::ClimbOnce() {
  const GraphIndex index(model_);
  BodyFacts facts(index, infer_);
  BodyEditor editor(index, model_, names_, record_);
  Level level = {index, editor, facts};
  std::map<const void*, int> scopes;
  for (size_t i = 0; i < index.scopes().size(); ++i) {
    scopes[ScopeKey(index.scopes()[i])] = static_cast<int>(i);
  }
  for (const Climber& climber : climbers_) {
    const int scope = scopes.at(climber.scope);
    switch (index.scopes()[static_cast<size_t>(scope)].kind) {
      case Scope::Kind::kMain:
        done_.push_back(
            {climber.value, climber.name, climber.type, climber.order});
        break;
      case Scope::Kind::kBody:
        OutOfBody(level, scope, climber);
        break;
      case Scope::Kind::kFunction:
        OutOfFunction(level, scope, climber);
        break;
    }
  }
  // A Loop beside a Scan holds what has come into the Scan's body by then.
  if (next_.empty()) IntoLoops(level, std::exchange(waiting_, {}));
  for (Waiting& each : waiting_) next_.push_back(std::move(each.climber));
  waiting_.clear();
  if (next_.size() > kMostInstances) {
    throw Error(ExitCode::kRefused, "",
                {fmt::format("the functions are called so often that more "
                             "than {} values would come out",
                             kMostInstances),
                 "", "select fewer values of functions"});
  }
  climbers_ = std::exchange(next_, {});
}

// Behind a call inference may know less than behind the function's own nodes.
void Climb::Fail(const Level& level, int scope, const Climber& climber,
                 std::string obstacle) {
  const int here = FunctionOf(level.index, scope);
  failed_.emplace(climber.value, Failure{std::move(obstacle),
                                         here < 0 ? climber.function : here});
}

Climb::Climber& Climb::Reached(const Level& level, const NodeRef& node,
                               std::vector<int> order, const Climber& climber,
                               LiftOutcome now, std::string shown) {
  const Scope& scope = level.index.scopes()[static_cast<size_t>(node.scope)];
  Climber out = {climber.value,    ScopeKey(scope),  std::move(now.name),
                 std::move(shown), std::move(order), std::move(now.type)};
  out.order.insert(out.order.end(), climber.order.begin(), climber.order.end());
  out.function = climber.function;
  next_.push_back(std::move(out));
  return next_.back();
}

Climb::Original Climb::OriginalOf(const GraphIndex& index, int scope) const {
  const Scope& body = index.scopes()[static_cast<size_t>(scope)];
  const auto known = originals_.find(ScopeKey(body));
  if (known != originals_.end()) return known->second;
  const auto& bodies = index.BodiesOf(body.owner);
  Original original = {
      fmt::format("{}/{}", index.Label(body.owner), body.attribute),
      inlined_.OrderOf(index.nodes()[static_cast<size_t>(body.owner)])};
  original.order.push_back(static_cast<int>(
      std::find(bodies.begin(), bodies.end(), scope) - bodies.begin()));
  return original;
}

void Climb::OutOfBody(Level& level, int scope, const Climber& climber) {
  const GraphIndex& index = level.index;
  const int node = index.scopes()[static_cast<size_t>(scope)].owner;
  const NodeRef& owner = index.nodes()[static_cast<size_t>(node)];
  const int value = index.FindIn(scope, climber.name);
  Original original = OriginalOf(index, scope);
  const std::string shown = original.path + "/" + climber.shown;
  const LiftStep step = {index,
                         level.editor,
                         scope,
                         node,
                         climber.name,
                         NameIn(owner.scope, shown),
                         level.facts.TypeOf(value),
                         level.facts.HasSameShape(scope, value),
                         last_,
                         !last_ && level.facts.IsCollected(owner.scope)};
  LiftOutcome outcome = Lift(*owner.node, step);
  if (outcome.by_loop) {
    waiting_.push_back({climber, scope, std::move(outcome.obstacle)});
  } else if (outcome.name.empty()) {
    Fail(level, scope, climber, std::move(outcome.obstacle));
  } else {
    Reached(level, owner, std::move(original.order), climber,
            std::move(outcome), shown);
  }
}

// Innermost Scans first: the Loop of an outer one holds their Loops.
void Climb::IntoLoops(Level& level, std::vector<Waiting> waiting) {
  const GraphIndex& index = level.index;
  std::set<int> around;
  for (const Waiting& each : waiting) {
    int scope = index.scopes()[static_cast<size_t>(each.scope)].parent;
    for (; scope >= 0 && around.insert(scope).second;) {
      scope = index.scopes()[static_cast<size_t>(scope)].parent;
    }
  }
  std::map<int, ScanLoop> loops;
  for (Waiting& each : waiting) {
    if (around.count(each.scope) > 0) {
      waiting_.push_back(std::move(each));
      continue;
    }
    const auto [loop, is_new] = loops.try_emplace(each.scope);
    if (is_new) {
      loop->second = AppendScanLoop(index, level.editor, each.scope);
      originals_[loop->second.body] = OriginalOf(index, each.scope);
    }
    if (loop->second.body == nullptr) {
      Fail(level, each.scope, each.climber,
           each.obstacle + "; " + loop->second.obstacle);
      continue;
    }
    by_loop_.emplace(each.climber.value, each.obstacle);
    next_.push_back(std::move(each.climber));
    next_.back().scope = loop->second.body;
  }
}

void Climb::OutOfFunction(Level& level, int scope, const Climber& climber) {
  const GraphIndex& index = level.index;
  auto& function = *level.editor.scope(scope).function;
  std::string listed = climber.name;
  const auto& outputs = function.output();
  if (std::find(outputs.begin(), outputs.end(), listed) != outputs.end()) {
    // A function may not list an output twice.
    if (DefaultOpset(index, scope) == 0) {
      Fail(level, scope, climber,
           "it is an output of the function already, which doesn't import "
           "Identity to copy it");
      return;
    }
    listed = level.editor.NewName(climber.name + "/copy");
    level.editor.Append(scope, "Identity", {climber.name}, listed);
  }
  level.editor.RecordFunction(scope);
  function.add_output(listed);
  bool called = false;
  for (int i = 0; i < static_cast<int>(index.nodes().size()); ++i) {
    if (index.Callee(i) != scope) continue;
    called = true;
    level.editor.Record(i);
    auto& call = level.editor.node(i);
    PadOutputs(call, function.output_size() - 1);
    if (inlined_.IsUsed(index, i)) {
      OutOfCall(level, i, climber);
    } else {
      // Inference fails at a call with fewer outputs than the function.
      PadOutputs(call, function.output_size());
    }
  }
  if (!called) failed_[climber.value] = {kNeverCalled};
}

void Climb::OutOfCall(Level& level, int call, const Climber& climber) {
  std::string shown = level.index.Label(call) + "/" + climber.shown;
  const NodeRef& ref = level.index.nodes()[static_cast<size_t>(call)];
  std::string name = level.editor.NewName(NameIn(ref.scope, shown));
  level.editor.node(call).add_output(name);
  std::vector<int> order = inlined_.OrderOf(ref);
  order.push_back(0);
  Reached(level, ref, std::move(order), climber,
          {std::move(name), "", climber.type}, std::move(shown))
      .function = FunctionOf(level.index, level.index.Callee(call));
}

}  // namespace onnx_expose
