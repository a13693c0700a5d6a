#include "model/topological_order.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "support/at.h"

namespace onnx_expose {

std::vector<int> NodesOf(const GraphIndex& index, int scope) {
  std::vector<int> nodes(At(index.scopes()[At(scope)].nodes().size()), -1);
  for (int i = 0; i < static_cast<int>(index.nodes().size()); ++i) {
    const NodeRef& ref = index.nodes()[At(i)];
    if (ref.scope == scope) nodes[At(ref.index)] = i;
  }
  return nodes;
}

std::vector<int> TopologicalOrder(const GraphIndex& index, int scope) {
  const auto& nodes = index.nodes();
  const std::vector<int> node_at = NodesOf(index, scope);
  const size_t count = node_at.size();
  // Readers of a value may sit in bodies; Reads() names the owner as well.
  std::vector<int> waits(count, 0);
  const auto readers_here = [&](int value, const auto& visit) {
    for (const int reader : index.Readers(value)) {
      const NodeRef& ref = nodes[static_cast<size_t>(reader)];
      if (ref.scope == scope) visit(static_cast<size_t>(ref.index));
    }
  };
  for (size_t i = 0; i < count; ++i) {
    for (const int value : index.Writes(node_at[i])) {
      readers_here(value, [&](size_t reader) { ++waits[reader]; });
    }
  }
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t i = 0; i < count; ++i) {
    if (waits[i] == 0) ready.push(i);
  }
  std::vector<int> order;
  std::vector<bool> placed(count, false);
  while (!ready.empty()) {
    const size_t next = ready.top();
    ready.pop();
    order.push_back(static_cast<int>(next));
    placed[next] = true;
    for (const int value : index.Writes(node_at[next])) {
      readers_here(value, [&](size_t reader) {
        if (--waits[reader] == 0) ready.push(reader);
      });
    }
  }
  for (size_t i = 0; i < count; ++i) {
    if (!placed[i]) order.push_back(static_cast<int>(i));
  }
  return order;
}

void Reorder(google::protobuf::RepeatedPtrField<onnx::NodeProto>& list,
             const std::vector<int>& order) {
  if (std::is_sorted(order.begin(), order.end())) return;
  std::vector<onnx::NodeProto*> nodes(static_cast<size_t>(list.size()));
  for (size_t i = nodes.size(); i > 0; --i) {
    nodes[i - 1] = list.UnsafeArenaReleaseLast();
  }
  for (const int position : order) {
    list.UnsafeArenaAddAllocated(nodes[static_cast<size_t>(position)]);
  }
}

}  // namespace onnx_expose
