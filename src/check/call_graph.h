#ifndef ONNX_EXPOSE_CHECK_CALL_GRAPH_H_
#define ONNX_EXPOSE_CHECK_CALL_GRAPH_H_

#include <cstddef>
#include <vector>

#include "onnx_expose/graph_index.h"

namespace onnx_expose {

// Which model-local function calls which, bodies included; functions are
// scopes.
class CallGraph {
 public:
  // `root`: by scope, the main graph or function it lies in.
  CallGraph(const GraphIndex& index, const std::vector<int>& root);

  // Calls that come back to the function they start from, one cycle for each
  // call that closes one, in the order of the calls; at most 100.
  const std::vector<std::vector<int>>& Cycles() const { return cycles_; }

  // How many functions are open at most; cycles count once.
  size_t depth() const { return depth_; }

 private:
  void Visit(int function);

  enum class State : char { kNew, kOpen, kDone };

  std::vector<std::vector<int>> callees_;  // by scope, each once
  std::vector<State> state_;               // by scope
  std::vector<size_t> depth_of_;           // by scope, when done
  std::vector<std::vector<int>> cycles_;
  size_t depth_ = 0;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_CHECK_CALL_GRAPH_H_
