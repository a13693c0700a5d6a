#ifndef ONNX_EXPOSE_MODEL_FUNCTION_CALLS_H_
#define ONNX_EXPOSE_MODEL_FUNCTION_CALLS_H_

#include <cstdint>
#include <set>
#include <vector>

#include "onnx_expose/graph_index.h"

namespace onnx_expose {

// What calling model-local functions comes to. Inference, the checker and ONNX
// Runtime inline calls without a budget, and 30 functions that each call the
// one before twice are a 2.8 kB file that never ends (onnx-facts 4).
struct FunctionCalls {
  // By scope (0 for scopes that are no functions): nodes in the function when
  // every call in it is inlined; UINT64_MAX when it calls itself, directly or
  // through others, or the count overflows.
  std::vector<uint64_t> inlined_nodes;
  // Nodes of the main graph and its bodies with every call inlined.
  uint64_t total = 0;
  // Scopes of functions that call themselves.
  std::vector<int> recursive;
};

// More nodes than this are not inlined.
inline constexpr uint64_t kMostInlinedNodes = 200000;

FunctionCalls CountFunctionCalls(const GraphIndex& index);

// The scope, the bodies inside it and the functions that they call: all whose
// nodes run when the scope runs.
std::set<int> ScopesRunWith(const GraphIndex& index, int scope);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_FUNCTION_CALLS_H_
