#include "onnx_expose/compare_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "model/topological_order.h"
#include "onnx_expose/graph_index.h"
#include "onnx_expose/loader.h"
#include "pipeline/introduced.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// Runs a model of the two; warnings name it.
void RunSide(const CompareModelsRequest& request, const std::string& model,
             const std::string& side, const RunRequest& how,
             Warnings& warnings) {
  RunRequest run = how;
  run.model = model;
  run.output = request.folder + "/" + side;
  run.dump.force = true;
  run.verify = false;
  run.select.allow_empty = true;
  if (!run.select.includes_something()) run.select.all = true;
  for (Message& warning : RunModel(run).warnings) {
    warnings.push_back({Quoted(model) + ": " + warning.what,
                        std::move(warning.note), std::move(warning.hint)});
  }
}

struct Sides {
  std::unique_ptr<ValueSource> a;
  std::unique_ptr<ValueSource> b;
  Warnings warnings;
};

Sides RunBoth(const CompareModelsRequest& request, const RunRequest& how_a,
              const RunRequest& how_b) {
  Sides sides;
  RunSide(request, request.model_a, "a", how_a, sides.warnings);
  RunSide(request, request.model_b, "b", how_b, sides.warnings);
  sides.a = OpenValues(request.folder + "/a");
  sides.b = OpenValues(request.folder + "/b");
  return sides;
}

CompareResult CompareSides(const CompareModelsRequest& request, Sides& sides) {
  CompareResult result;
  if (request.compare.quantized_names) {
    const auto a = Dequantized(*sides.a, request.model_a);
    const auto b = Dequantized(*sides.b, request.model_b);
    result = CompareValues(*a, *b, request.compare);
  } else {
    result = CompareValues(*sides.a, *sides.b, request.compare);
  }
  result.warnings.insert(result.warnings.begin(), sides.warnings.begin(),
                         sides.warnings.end());
  return result;
}

// Names of what the main graph computes, in the order of the run.
std::vector<std::string> ValuesInOrder(const Skeleton& model) {
  const GraphIndex index(model.proto);
  const std::vector<int> nodes = NodesOf(index, 0);
  std::vector<std::string> names;
  for (const int position : TopologicalOrder(index, 0)) {
    for (const int value : index.Writes(nodes[static_cast<size_t>(position)])) {
      const Value& known = index.values()[static_cast<size_t>(value)];
      if (!known.constant) names.emplace_back(known.name);
    }
  }
  return names;
}

}  // namespace

CompareResult CompareModels(const CompareModelsRequest& request) {
  Sides sides = RunBoth(request, request.run, request.run);
  CompareResult result = CompareSides(request, sides);
  if (request.introduced) AddIntroduced(request, *sides.a, *sides.b, result);
  return result;
}

CompareResult BisectModels(const CompareModelsRequest& request,
                           size_t values_at_once) {
  const std::vector<std::string> all_b =
      ValuesInOrder(LoadModel(request.model_b));
  const std::set<std::string> in_b(all_b.begin(), all_b.end());
  std::vector<std::string> names = ValuesInOrder(LoadModel(request.model_a));
  std::erase_if(names, [&](const auto& name) { return !in_b.contains(name); });
  // The first that differs is in [first, end).
  size_t first = 0;
  size_t end = names.size();
  values_at_once = std::max<size_t>(values_at_once, 2);
  for (;;) {
    const size_t step = std::max<size_t>(
        1, (end - first + values_at_once - 1) / values_at_once);
    std::vector<std::string> probes;
    std::unordered_map<std::string, size_t> position;
    for (size_t at = first; at < end; at += step) {
      const size_t probe = std::min(at + step, end) - 1;
      probes.push_back(names[probe]);
      position[names[probe]] = probe;
    }
    RunRequest run = request.run;
    run.select = {};
    run.select.exact_values = probes;
    Sides sides = RunBoth(request, run, run);
    CompareResult result = CompareSides(request, sides);
    size_t differs = end;
    for (const ComparedValue& value : result.values) {
      const bool bad = value.verdict == Verdict::kDifferent ||
                       value.verdict == Verdict::kShape ||
                       value.verdict == Verdict::kType;
      const auto found = position.find(value.name_a);
      if (bad && found != position.end()) {
        differs = std::min(differs, found->second);
      }
    }
    if (differs == end || step == 1) return result;
    first = differs + 1 - std::min(step, differs + 1);
    end = differs + 1;
  }
}

}  // namespace onnx_expose
