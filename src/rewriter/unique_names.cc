#include "rewriter/unique_names.h"

#include <fmt/format.h>

namespace onnx_expose {

UniqueNames::UniqueNames(const GraphIndex& index) {
  for (const Value& value : index.values()) taken_.emplace(value.name);
  // Body outputs may name values of an outer scope that nobody defines.
  for (const Scope& scope : index.scopes()) {
    if (scope.graph == nullptr) continue;
    for (const auto& output : scope.graph->output()) {
      taken_.insert(output.name());
    }
  }
}

std::string UniqueNames::Take(const std::string& name) {
  if (taken_.insert(name).second) return name;
  for (int i = 1;; ++i) {
    std::string other = fmt::format("{}_{}", name, i);
    if (taken_.insert(other).second) return other;
  }
}

}  // namespace onnx_expose
