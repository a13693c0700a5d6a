#include "rewriter/initial_nodes.h"

#include <algorithm>
#include <vector>

#include "model/marks.h"
#include "model/mutable_scopes.h"
#include "model/operators.h"
#include "model/topological_order.h"
#include "onnx_expose/graph_index.h"

namespace onnx_expose {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

// List order, but for the added nodes.
class AddedOrder {
 public:
  AddedOrder(const GraphIndex& index, int scope)
      : index_(index), scope_(scope) {
    const auto& nodes = index.nodes();
    for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
      if (nodes[static_cast<size_t>(i)].scope == scope) here_.push_back(i);
    }
    placed_.assign(here_.size(), false);
  }

  std::vector<int> Order() {
    for (const int node : here_) Place(node);
    return std::move(order_);
  }

 private:
  void Place(int node) {
    const NodeRef& ref = index_.nodes()[static_cast<size_t>(node)];
    const auto at = static_cast<size_t>(ref.index);
    if (placed_[at]) return;
    placed_[at] = true;
    for (const int value : index_.Reads(node)) {
      const Value& read = index_.values()[static_cast<size_t>(value)];
      if (read.node < 0 || read.scope != scope_) continue;
      const auto& writer = *index_.nodes()[static_cast<size_t>(read.node)].node;
      // Only added nodes move, and they hang on few others: no deep recursion.
      if (IsAdded(writer.doc_string())) Place(read.node);
    }
    order_.push_back(ref.index);
  }

  const GraphIndex& index_;
  int scope_;
  std::vector<int> here_;  // in list order
  std::vector<bool> placed_;
  std::vector<int> order_;
};

}  // namespace

void MoveInitialNodes(onnx::ModelProto& model) {
  const GraphIndex index(model);
  const auto scopes = MutableScopes(index, model);
  for (size_t i = 0; i < scopes.size(); ++i) {
    const Nodes& nodes = index.scopes()[i].nodes();
    const bool added = std::any_of(
        nodes.begin(), nodes.end(),
        [](const auto& node) { return IsAdded(node.doc_string()); });
    if (!added || std::any_of(nodes.begin(), nodes.end(), [](const auto& node) {
          return DrawsUnseeded(node);
        })) {
      continue;
    }
    Reorder(*scopes[i].nodes(), AddedOrder(index, static_cast<int>(i)).Order());
  }
}

}  // namespace onnx_expose
