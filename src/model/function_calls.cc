#include "model/function_calls.h"

#include <algorithm>

namespace onnx_expose {
namespace {

constexpr uint64_t kEndless = UINT64_MAX;

uint64_t Sum(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kEndless : sum;
}

class Counter {
 public:
  explicit Counter(const GraphIndex& index)
      : index_(index), nodes_of_(index.scopes().size()) {
    const auto& scopes = index.scopes();
    for (int i = 0; i < static_cast<int>(index.nodes().size()); ++i) {
      int scope = index.nodes()[static_cast<size_t>(i)].scope;
      while (scopes[static_cast<size_t>(scope)].parent >= 0) {
        scope = scopes[static_cast<size_t>(scope)].parent;
      }
      nodes_of_[static_cast<size_t>(scope)].push_back(i);
    }
  }

  FunctionCalls Count() {
    const auto& scopes = index_.scopes();
    calls_.inlined_nodes.assign(scopes.size(), 0);
    state_.assign(scopes.size(), State::kNew);
    for (size_t i = 0; i < scopes.size(); ++i) {
      if (scopes[i].kind == Scope::Kind::kFunction) Visit(static_cast<int>(i));
    }
    for (const int node : nodes_of_[0]) {
      calls_.total = Sum(calls_.total, Cost(node));
    }
    return std::move(calls_);
  }

 private:
  enum class State : char { kNew, kOpen, kDone };

  uint64_t Cost(int node) const {
    const int callee = index_.Callee(node);
    return callee < 0
               ? 1
               : Sum(1, calls_.inlined_nodes[static_cast<size_t>(callee)]);
  }

  // Depth first without recursion: call chains may be as long as there are
  // functions.
  void Visit(int function) {
    struct Frame {
      int scope;
      size_t next = 0;
    };
    if (state_[static_cast<size_t>(function)] != State::kNew) return;
    std::vector<Frame> stack = {{function}};
    state_[static_cast<size_t>(function)] = State::kOpen;
    while (!stack.empty()) {
      const auto scope = static_cast<size_t>(stack.back().scope);
      if (stack.back().next < nodes_of_[scope].size()) {
        const int callee = index_.Callee(nodes_of_[scope][stack.back().next++]);
        if (callee < 0) continue;
        State& state = state_[static_cast<size_t>(callee)];
        if (state == State::kNew) {
          state = State::kOpen;
          stack.push_back({callee});
        } else if (state == State::kOpen) {
          calls_.recursive.push_back(callee);
          calls_.inlined_nodes[static_cast<size_t>(callee)] = kEndless;
        }
        continue;
      }
      uint64_t total = calls_.inlined_nodes[scope];
      for (const int node : nodes_of_[scope]) total = Sum(total, Cost(node));
      calls_.inlined_nodes[scope] = total;
      state_[scope] = State::kDone;
      stack.pop_back();
    }
  }

  const GraphIndex& index_;
  std::vector<std::vector<int>> nodes_of_;  // by function scope and main graph
  std::vector<State> state_;
  FunctionCalls calls_;
};

}  // namespace

FunctionCalls CountFunctionCalls(const GraphIndex& index) {
  return Counter(index).Count();
}

std::set<int> ScopesRunWith(const GraphIndex& index, int scope) {
  std::vector<std::vector<int>> runs(index.scopes().size());
  for (int i = 0; i < static_cast<int>(index.nodes().size()); ++i) {
    const int here = index.nodes()[static_cast<size_t>(i)].scope;
    auto& inner = runs[static_cast<size_t>(here)];
    const auto& bodies = index.BodiesOf(i);
    inner.insert(inner.end(), bodies.begin(), bodies.end());
    if (index.Callee(i) >= 0) inner.push_back(index.Callee(i));
  }
  std::set<int> all = {scope};
  std::vector<int> left = {scope};
  while (!left.empty()) {
    const auto at = static_cast<size_t>(left.back());
    left.pop_back();
    for (const int inner : runs[at]) {
      if (all.insert(inner).second) left.push_back(inner);
    }
  }
  return all;
}

}  // namespace onnx_expose
