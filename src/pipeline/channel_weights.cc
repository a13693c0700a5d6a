#include <set>

#include "onnx_expose/channels.h"
#include "onnx_expose/graph_index.h"
#include "onnx_expose/loader.h"

namespace onnx_expose {
namespace {

// The first input of the node with two dims or more that is a constant.
std::string WeightOfNode(const GraphIndex& index, int node,
                         const std::set<std::string>& matrices) {
  for (const int input : index.Reads(node)) {
    const Value& value = index.values()[static_cast<size_t>(input)];
    std::string name(value.name);
    if (value.scope == 0 && matrices.contains(name)) return name;
  }
  return "";
}

std::string WeightBefore(const GraphIndex& index, int value,
                         const std::set<std::string>& matrices) {
  // The first input all along: activations and normalisations keep channels.
  std::set<int> seen;
  while (value >= 0 && seen.insert(value).second) {
    const int node = index.values()[static_cast<size_t>(value)].node;
    if (node < 0) break;
    std::string weight = WeightOfNode(index, node, matrices);
    if (!weight.empty()) return weight;
    value = index.Reads(node).empty() ? -1 : index.Reads(node).front();
  }
  return "";
}

}  // namespace

void NameWeights(const std::string& model, std::vector<ValueChannels>& values) {
  const Skeleton skeleton = LoadModel(model);
  const GraphIndex index(skeleton.proto);
  std::set<std::string> matrices;
  for (const auto& initializer : skeleton.proto.graph().initializer()) {
    if (initializer.dims_size() >= 2) matrices.insert(initializer.name());
  }
  for (ValueChannels& value : values) {
    value.weight = WeightBefore(index, index.FindIn(0, value.name), matrices);
  }
}

}  // namespace onnx_expose
