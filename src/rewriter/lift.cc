#include "rewriter/lift.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <map>
#include <set>
#include <utility>

#include "model/function_calls.h"
#include "rewriter/climb.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// Comes behind every body of a node.
constexpr int kNodeItself = INT_MAX;

// Which functions are inlined, for which values.
class Inlining {
 public:
  explicit Inlining(const onnx::ModelProto& model) : index_(model) {}

  std::set<int> Functions() const {
    std::set<int> all;
    for (const auto& [value, functions] : by_value_) {
      all.insert(functions.begin(), functions.end());
    }
    return all;
  }

  // Inlines the function that the value didn't come out of. If that can't be
  // done, or has been, the obstacle that remains.
  std::string Try(int value, const Failure& failure) {
    auto& functions = by_value_[value];
    std::string obstacle = failure.obstacle;
    if (failure.function >= 0 && functions.count(failure.function) == 0) {
      const std::string why = InlineObstacle(index_, failure.function);
      if (why.empty()) {
        functions.insert(failure.function);
        obstacles_.emplace(failure.function, obstacle);
        return "";
      }
      obstacle += fmt::format(" (and {} can't be inlined: {})",
                              FunctionName(failure.function), why);
    }
    by_value_.erase(value);
    return obstacle;
  }

  // Whether the value comes out of copies.
  bool IsFor(int value) const {
    const Value& inner = index_.values()[static_cast<size_t>(value)];
    return Functions().count(FunctionOf(index_, inner.scope)) > 0;
  }

  onnx_expose::Warnings Warnings(std::map<int, std::string>& names) const {
    onnx_expose::Warnings warnings;
    for (const int function : Functions()) {
      std::vector<std::string> values;
      for (const auto& [value, functions] : by_value_) {
        if (functions.count(function) > 0) values.push_back(names[value]);
      }
      warnings.push_back(
          {fmt::format("calls of {} are inlined to expose {}",
                       FunctionName(function), NameList(values)),
           fmt::format("the function can't give that out: {}; the copies "
                       "compute it once more, and the calls stay",
                       obstacles_.at(function)),
           ""});
    }
    return warnings;
  }

 private:
  std::string FunctionName(int number) const {
    const auto& function = index_.model().functions(number);
    return Quoted(function.domain() + "::" + function.name());
  }

  const GraphIndex index_;
  std::map<int, std::set<int>> by_value_;
  std::map<int, std::string> obstacles_;  // the first one, by function
};

// `by_loop`: values and what kept them in their Scans.
void WarnOfLoops(const std::map<int, std::string>& by_loop,
                 const std::map<int, std::string>& names, Warnings& warnings) {
  std::map<std::string, std::vector<std::string>> values;
  for (const auto& [value, obstacle] : by_loop) {
    values[obstacle].push_back(names.at(value));
  }
  for (const auto& [obstacle, list] : values) {
    warnings.push_back(
        {fmt::format("a Loop beside the Scan gives out {}", NameList(list)),
         obstacle +
             "; the Loop computes the Scan once more, and the Scan stays",
         ""});
  }
}

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
  if (record.inlined.count(scope.path + "/" + name) > 0) return true;
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
  Inlining inlining(model.proto);
  // A value that turns out not to climb all the way must leave no trace.
  while (!left.empty()) {
    Skeleton attempt = model.Clone();
    Provenance attempt_record = record;
    Climb climb(attempt.proto, infer, last, attempt_record);
    climb.Run(left, inlining.Functions());
    if (climb.failed().empty()) {
      model.proto = attempt.proto;
      record = std::move(attempt_record);
      for (const int i : left) {
        if (inlining.IsFor(i)) record.inlined.insert(names[i]);
      }
      for (const auto& [value, obstacle] : climb.by_loop()) {
        record.inlined.insert(names[value]);
      }
      result.warnings = inlining.Warnings(names);
      WarnOfLoops(climb.by_loop(), names, result.warnings);
      result.lifted = std::move(climb.done());
      break;
    }
    for (const auto& [value, failure] : climb.failed()) {
      std::string obstacle = inlining.Try(value, failure);
      if (obstacle.empty()) continue;
      result.skipped.push_back({names[value], std::move(obstacle)});
      left.erase(std::remove(left.begin(), left.end(), value), left.end());
    }
  }
  return result;
}

}  // namespace onnx_expose
