#include "pipeline/places.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

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

// The nearest values before each place that are dumped or graph inputs.
class NearestInputs {
 public:
  NearestInputs(const GraphIndex& index, const std::vector<Place>& places)
      : index_(index), seen_(index.values().size(), -1) {
    for (const Place& place : places) {
      if (place.original >= 0) names_.emplace(place.original, place.value.name);
    }
  }

  std::vector<std::string> Of(int value) {
    std::vector<std::string> found;
    std::vector<int> open = {value};
    seen_[static_cast<size_t>(value)] = value;
    while (!open.empty()) {
      const int current = open.back();
      open.pop_back();
      for (const int input : SourcesOf(current)) {
        if (std::exchange(seen_[static_cast<size_t>(input)], value) == value) {
          continue;
        }
        const auto dumped = names_.find(input);
        const Value& known = index_.values()[static_cast<size_t>(input)];
        if (dumped != names_.end()) {
          found.push_back(dumped->second);
        } else if (known.scope == 0 && known.kind == Value::Kind::kInput) {
          found.emplace_back(known.name);
        } else {
          open.push_back(input);
        }
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  // What its node reads and its bodies end with; of a body's own input what the
  // node around it reads.
  std::vector<int> SourcesOf(int value) const {
    const Value& known = index_.values()[static_cast<size_t>(value)];
    const auto& scopes = index_.scopes();
    const int node = known.node >= 0
                         ? known.node
                         : scopes[static_cast<size_t>(known.scope)].owner;
    if (node < 0) return {};
    const std::span<const int> reads = index_.Reads(node);
    std::vector<int> sources(reads.begin(), reads.end());
    if (known.node < 0) return sources;
    for (const int body : index_.BodiesOf(node)) {
      for (const auto& output :
           scopes[static_cast<size_t>(body)].graph->output()) {
        const int inner = index_.FindIn(body, output.name());
        if (inner >= 0) sources.push_back(inner);
      }
    }
    return sources;
  }

  const GraphIndex& index_;
  std::vector<int> seen_;  // by value: for which one it was seen last
  std::unordered_map<int, std::string> names_;
};

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
  NearestInputs nearest(index, places);
  for (Place& place : places) {
    if (place.original >= 0) place.value.inputs = nearest.Of(place.original);
  }
  return places;
}

}  // namespace onnx_expose
