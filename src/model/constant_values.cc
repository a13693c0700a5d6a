#include "model/constant_values.h"

#include <algorithm>

#include "model/operators.h"

namespace onnx_expose {
namespace {

// By node: whether it computes the same each time.
std::vector<char> Deterministic(const GraphIndex& index) {
  const auto& nodes = index.nodes();
  std::vector<char> deterministic(nodes.size());
  // A body or function is as random as the nodes in it. Functions come last in
  // the list, and may call each other: until nothing changes.
  std::vector<char> random_scope(index.scopes().size(), 0);
  bool changed = true;
  while (changed) {
    changed = false;
    for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
      const NodeRef& ref = nodes[static_cast<size_t>(i)];
      const int callee = index.Callee(i);
      bool random = callee >= 0 ? random_scope[static_cast<size_t>(callee)] != 0
                                : IsRandom(*ref.node);
      for (const int body : index.BodiesOf(i)) {
        random = random || random_scope[static_cast<size_t>(body)] != 0;
      }
      deterministic[static_cast<size_t>(i)] = !random;
      char& scope = random_scope[static_cast<size_t>(ref.scope)];
      if (random && scope == 0) {
        scope = 1;
        changed = changed || !index.model().functions().empty();
      }
    }
  }
  return deterministic;
}

// Of operators that read nothing only those we know are constant.
bool IsKnown(const GraphIndex& index, int node) {
  const onnx::NodeProto& proto = *index.nodes()[static_cast<size_t>(node)].node;
  return (index.Callee(node) >= 0 || NormalDomain(proto.domain()).empty()) &&
         std::all_of(proto.input().begin(), proto.input().end(),
                     [](const std::string& name) { return name.empty(); });
}

}  // namespace

std::vector<int> ConstantValues(const GraphIndex& index) {
  std::vector<int> constants;
  const auto& values = index.values();
  for (int i = index.node_output_count(); i < static_cast<int>(values.size());
       ++i) {
    if (values[static_cast<size_t>(i)].kind == Value::Kind::kInitializer) {
      constants.push_back(i);
    }
  }
  const std::vector<char> deterministic = Deterministic(index);
  const auto write = [&](int node) {
    const auto written = index.Writes(node);
    constants.insert(constants.end(), written.begin(), written.end());
  };
  std::vector<int> missing(index.nodes().size());
  for (int i = 0; i < static_cast<int>(missing.size()); ++i) {
    const auto at = static_cast<size_t>(i);
    missing[at] = static_cast<int>(index.Reads(i).size());
    if (missing[at] == 0 && deterministic[at] && IsKnown(index, i)) write(i);
  }
  for (size_t next = 0; next < constants.size(); ++next) {
    for (const int node : index.Readers(constants[next])) {
      const auto at = static_cast<size_t>(node);
      if (--missing[at] == 0 && deterministic[at]) write(node);
    }
  }
  return constants;
}

}  // namespace onnx_expose
