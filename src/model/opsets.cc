#include "model/opsets.h"

#include <algorithm>

namespace onnx_expose {

int DefaultOpset(const GraphIndex& index, int scope) {
  const auto& scopes = index.scopes();
  while (scopes[static_cast<size_t>(scope)].parent >= 0) {
    scope = scopes[static_cast<size_t>(scope)].parent;
  }
  const auto* function = scopes[static_cast<size_t>(scope)].function;
  int opset = 0;
  for (const auto& entry : function != nullptr ? function->opset_import()
                                               : index.model().opset_import()) {
    if (NormalDomain(entry.domain()).empty()) {
      opset =
          static_cast<int>(std::clamp<int64_t>(entry.version(), 0, 1 << 20));
    }
  }
  return opset;
}

}  // namespace onnx_expose
