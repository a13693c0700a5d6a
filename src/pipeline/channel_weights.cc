#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "onnx_expose/channels.h"
#include "onnx_expose/graph_index.h"
#include "onnx_expose/loader.h"

namespace onnx_expose {
namespace {

// The weights that channels come from, each value looked at once.
class WeightNames {
 public:
  WeightNames(const GraphIndex& index, const onnx::GraphProto& graph)
      : index_(index) {
    for (const auto& initializer : graph.initializer()) {
      if (initializer.dims_size() < 2) continue;
      matrices_.insert(initializer.name());
    }
  }

  // The first input all along: activations and normalisations keep channels.
  std::string Before(int value) {
    std::vector<int> path;
    std::string weight;
    while (value >= 0) {
      const auto [known, is_new] = by_value_.try_emplace(value);
      if (!is_new) {
        weight = known->second;
        break;
      }
      path.push_back(value);
      const int node = index_.values()[static_cast<size_t>(value)].node;
      if (node < 0) break;
      weight = OfNode(node);
      if (!weight.empty()) break;
      value = index_.Reads(node).empty() ? -1 : index_.Reads(node).front();
    }
    for (const int each : path) by_value_[each] = weight;
    return weight;
  }

 private:
  // The first input of the node with two dims or more that is a constant.
  std::string OfNode(int node) const {
    for (const int input : index_.Reads(node)) {
      const Value& value = index_.values()[static_cast<size_t>(input)];
      std::string name(value.name);
      if (value.scope == 0 && matrices_.contains(name)) return name;
    }
    return "";
  }

  const GraphIndex& index_;
  std::unordered_set<std::string> matrices_;
  std::unordered_map<int, std::string> by_value_;
};

}  // namespace

void NameWeights(const std::string& model, std::vector<ValueChannels>& values) {
  const Skeleton skeleton = LoadModel(model);
  const GraphIndex index(skeleton.proto);
  WeightNames weights(index, skeleton.proto.graph());
  for (ValueChannels& value : values) {
    value.weight = weights.Before(index.FindIn(0, value.name));
  }
}

}  // namespace onnx_expose
