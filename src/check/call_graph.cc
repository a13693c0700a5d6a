#include "check/call_graph.h"

#include <algorithm>

namespace onnx_expose {
namespace {

// Hostile models have more than anyone wants to read.
constexpr size_t kMostCycles = 100;

}  // namespace

CallGraph::CallGraph(const GraphIndex& index, const std::vector<int>& root)
    : callees_(index.scopes().size()),
      state_(index.scopes().size(), State::kNew),
      depth_of_(index.scopes().size(), 0) {
  for (size_t i = 0; i < index.nodes().size(); ++i) {
    const int callee = index.Callee(static_cast<int>(i));
    if (callee < 0) continue;
    const int caller = root[static_cast<size_t>(index.nodes()[i].scope)];
    callees_[static_cast<size_t>(caller)].push_back(callee);
  }
  for (auto& list : callees_) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  for (size_t i = 0; i < state_.size(); ++i) {
    if (index.scopes()[i].kind == Scope::Kind::kFunction) {
      Visit(static_cast<int>(i));
    }
  }
}

// Depth first with a stack of its own: a chain may be as long as there are
// functions.
void CallGraph::Visit(int function) {
  struct Frame {
    int scope;
    size_t next = 0;
  };
  if (state_[static_cast<size_t>(function)] != State::kNew) return;
  std::vector<Frame> path = {{function}};
  state_[static_cast<size_t>(function)] = State::kOpen;
  while (!path.empty()) {
    Frame& frame = path.back();
    const auto scope = static_cast<size_t>(frame.scope);
    if (frame.next < callees_[scope].size()) {
      const int callee = callees_[scope][frame.next++];
      State& state = state_[static_cast<size_t>(callee)];
      if (state == State::kNew) {
        state = State::kOpen;
        path.push_back({callee});
      } else if (state == State::kOpen && cycles_.size() < kMostCycles) {
        std::vector<int> cycle;
        auto at = std::find_if(path.begin(), path.end(), [&](const Frame& f) {
          return f.scope == callee;
        });
        for (; at != path.end(); ++at) cycle.push_back(at->scope);
        cycles_.push_back(std::move(cycle));
      }
      continue;
    }
    size_t deepest = 0;
    for (const int callee : callees_[scope]) {
      deepest = std::max(deepest, depth_of_[static_cast<size_t>(callee)]);
    }
    depth_of_[scope] = deepest + 1;
    depth_ = std::max(depth_, depth_of_[scope]);
    state_[scope] = State::kDone;
    path.pop_back();
  }
}

}  // namespace onnx_expose
