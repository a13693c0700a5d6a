#include "selector/paths.h"

namespace onnx_expose {
namespace {

class PathSearch {
 public:
  explicit PathSearch(const GraphIndex& index)
      : index_(index),
        behind_(index.values().size()),
        before_(index.values().size()),
        nodes_behind_(index.nodes().size()),
        nodes_before_(index.nodes().size()),
        seen_(index.scopes().size()),
        contents_(index.scopes().size()) {
    for (int node = 0; node < static_cast<int>(index.nodes().size()); ++node) {
      Of(index.nodes()[static_cast<size_t>(node)].scope).nodes.push_back(node);
    }
    for (int i = 0; i < static_cast<int>(index.values().size()); ++i) {
      const Value& value = ValueAt(i);
      if (value.kind == Value::Kind::kInput) {
        Of(value.scope).inputs.push_back(i);
      }
      if (value.is_output) Of(value.scope).outputs.push_back(i);
    }
  }

  // The main graph first, then what is inside of nodes on the path.
  Marks Run(const std::vector<int>& from, const std::vector<int>& to) {
    Forward(0, from);
    Backward(0, to);
    seen_.Add(0);
    std::vector<int> todo = Inside(0);
    while (!todo.empty()) {
      const int scope = todo.back();
      todo.pop_back();
      Forward(scope, Of(scope).inputs);
      Backward(scope, Of(scope).outputs);
      for (const int inner : Inside(scope)) todo.push_back(inner);
    }
    Marks both(index_.values().size());
    for (int i = 0; i < static_cast<int>(index_.values().size()); ++i) {
      if (behind_.Has(i) && before_.Has(i)) both.Add(i);
    }
    return both;
  }

 private:
  struct Contents {
    std::vector<int> nodes, inputs, outputs;
  };

  Contents& Of(int scope) { return contents_[static_cast<size_t>(scope)]; }
  const Value& ValueAt(int value) const {
    return index_.values()[static_cast<size_t>(value)];
  }

  // Marks what lies behind `seeds`, and in a body behind what it captures.
  void Forward(int scope, const std::vector<int>& seeds) {
    std::vector<int> todo;
    const auto reach = [&](int value) {
      if (behind_.Add(value)) todo.push_back(value);
    };
    const auto pass = [&](int node) {
      if (!nodes_behind_.Add(node)) return;
      for (const int value : index_.Writes(node)) reach(value);
    };
    for (const int value : seeds) reach(value);
    if (scope != 0) {
      for (const int node : Of(scope).nodes) {
        for (const int value : index_.Reads(node)) {
          if (behind_.Has(value)) pass(node);
        }
      }
    }
    while (!todo.empty()) {
      const int value = todo.back();
      todo.pop_back();
      for (const int node : index_.Readers(value)) {
        if (index_.nodes()[static_cast<size_t>(node)].scope == scope) {
          pass(node);
        }
      }
    }
  }

  void Backward(int scope, const std::vector<int>& seeds) {
    std::vector<int> todo;
    const auto reach = [&](int value) {
      if (before_.Add(value)) todo.push_back(value);
    };
    for (const int value : seeds) reach(value);
    while (!todo.empty()) {
      const int node = ValueAt(todo.back()).node;
      todo.pop_back();
      if (node < 0 || !nodes_before_.Add(node)) continue;
      for (const int value : index_.Reads(node)) {
        if (ValueAt(value).scope == scope) reach(value);
      }
    }
  }

  // Bodies and functions of the scope's nodes on the path, not seen before.
  std::vector<int> Inside(int scope) {
    std::vector<int> inside;
    const auto add = [&](int inner) {
      if (seen_.Add(inner)) inside.push_back(inner);
    };
    for (const int node : Of(scope).nodes) {
      if (!nodes_behind_.Has(node) || !nodes_before_.Has(node)) continue;
      for (const int body : index_.BodiesOf(node)) add(body);
      const int callee = index_.Callee(node);
      if (callee >= 0) add(callee);
    }
    return inside;
  }

  const GraphIndex& index_;
  Marks behind_, before_;  // by value: reached from FROM, reaching TO
  Marks nodes_behind_, nodes_before_;
  Marks seen_;                      // scopes
  std::vector<Contents> contents_;  // by scope
};

}  // namespace

std::vector<int> PathEnd(const GraphIndex& index, std::string_view name) {
  const int value = index.FindIn(0, name);
  if (value >= 0) return {value};
  std::vector<int> values;
  if (name.empty()) return values;
  for (int node = 0; node < static_cast<int>(index.nodes().size()); ++node) {
    const NodeRef& ref = index.nodes()[static_cast<size_t>(node)];
    if (ref.scope != 0 || ref.node->name() != name) continue;
    const auto writes = index.Writes(node);
    values.insert(values.end(), writes.begin(), writes.end());
  }
  return values;
}

Marks ValuesBetween(const GraphIndex& index, const std::vector<int>& from,
                    const std::vector<int>& to) {
  return PathSearch(index).Run(from, to);
}

}  // namespace onnx_expose
