#include "pipeline/places.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "model/topological_order.h"

namespace onnx_expose {
namespace {

// When the nodes of the main graph are run, by position in its list.
std::vector<int> RanksOf(const GraphIndex& index) {
  const std::vector<int> order = TopologicalOrder(index, 0);
  std::vector<int> ranks(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    ranks[static_cast<size_t>(order[i])] = static_cast<int>(i);
  }
  return ranks;
}

int FindOriginal(const GraphIndex& index,
                 const std::map<std::string_view, int>& scopes,
                 const ExposedValue& value) {
  const auto scope = scopes.find(value.scope);
  if (scope == scopes.end()) return -1;
  return index.FindIn(scope->second, value.value);
}

void DescribeNode(const GraphIndex& index, int value, DumpedValue& into) {
  if (value < 0) return;
  const int node = index.values()[static_cast<size_t>(value)].node;
  if (node < 0) return;
  const onnx::NodeProto& proto = *index.nodes()[static_cast<size_t>(node)].node;
  into.op_type = proto.op_type();
  into.domain = proto.domain();
  into.node = proto.name();
}

}  // namespace

std::vector<Place> PlacesOf(const GraphIndex& index, const GraphIndex& debug,
                            const std::vector<ExposedValue>& added) {
  std::unordered_map<std::string_view, const ExposedValue*> exposed;
  for (const ExposedValue& value : added) exposed[value.name] = &value;
  std::map<std::string_view, int> scopes;
  for (size_t i = 0; i < index.scopes().size(); ++i) {
    scopes.emplace(index.scopes()[i].path, static_cast<int>(i));
  }
  const std::vector<int> ranks = RanksOf(debug);

  struct Ranked {
    std::tuple<int, bool, int> key;  // node, is its own output, position
    Place place;
  };
  std::vector<Ranked> ranked;
  std::unordered_set<std::string_view> seen;
  const auto& outputs = debug.model().graph().output();
  for (int i = 0; i < outputs.size(); ++i) {
    const std::string& name = outputs[i].name();
    if (!seen.insert(name).second) continue;
    Ranked entry;
    DumpedValue& value = entry.place.value;
    value.name = name;
    const auto found = exposed.find(name);
    const bool inner = found != exposed.end() && !found->second->scope.empty();
    if (found != exposed.end()) {
      value.op_type = found->second->op_type;
      value.domain = found->second->domain;
      value.node = found->second->node;
      value.scope = found->second->scope;
      entry.place.original = FindOriginal(index, scopes, *found->second);
    } else {
      value.original_output = true;
      entry.place.original = index.FindIn(0, name);
      DescribeNode(index, entry.place.original, value);
    }
    const int in_debug = debug.FindIn(0, name);
    const Value* computed =
        in_debug < 0 ? nullptr : &debug.values()[static_cast<size_t>(in_debug)];
    const int node = computed == nullptr ? -1 : computed->node;
    const int rank = node < 0
                         ? -1
                         : ranks[static_cast<size_t>(
                               debug.nodes()[static_cast<size_t>(node)].index)];
    entry.key = {rank, !inner, inner || node < 0 ? i : computed->output};
    ranked.push_back(std::move(entry));
  }
  std::sort(ranked.begin(), ranked.end(),
            [](const Ranked& a, const Ranked& b) { return a.key < b.key; });
  std::vector<Place> places;
  for (Ranked& entry : ranked) {
    entry.place.value.index = static_cast<int>(places.size());
    places.push_back(std::move(entry.place));
  }
  return places;
}

}  // namespace onnx_expose
