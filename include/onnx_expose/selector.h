#ifndef ONNX_EXPOSE_SELECTOR_H_
#define ONNX_EXPOSE_SELECTOR_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "onnx_expose/graph_index.h"
#include "onnx_expose/selection.h"
#include "onnx_expose/value_types.h"

namespace onnx_expose {

// Which values to take (design 1.1). Patterns are RE2 expressions searched
// anywhere in the name; "=NAME" is that exact name. One field given several
// times widens, different fields narrow; `values` and `exact_values` are one
// kind. Excludes always win.
//
// Candidates are what nodes compute: never graph inputs and initializers.
// Constants are left out unless asked for; one that is an output of the main
// graph already counts as there.
struct SelectorOptions {
  std::vector<std::string> ops;     // "Conv", "com.microsoft::Gelu"
  std::vector<std::string> nodes;   // patterns
  std::vector<std::string> values;  // patterns
  // Names, from --values-from. A list without names is not the same as none:
  // it selects nothing.
  std::optional<std::vector<std::string>> exact_values;
  // FROM, TO: names of values or else nodes of the main graph, inputs and
  // initializers as well. With `deep` also values inside of what lies on the
  // path, if data flows through them there.
  std::optional<std::pair<std::string, std::string>> between;
  std::vector<std::string> types;  // element type names
  bool all = false;

  std::vector<std::string> exclude_ops;
  std::vector<std::string> exclude_nodes;
  std::vector<std::string> exclude_values;

  // Also what the nodes of selected values read, or their bodies capture, and
  // other nodes compute. Only excludes and the rule for constants narrow this.
  bool node_inputs = false;
  bool deep = false;
  bool include_constants = false;
  bool allow_empty = false;

  // Whether anything says what to take.
  bool includes_something() const {
    return all || between.has_value() || !ops.empty() || !nodes.empty() ||
           !values.empty() || exact_values.has_value() || !types.empty();
  }
};

// The selected values. Throws Error(kUsage) for a broken pattern or type name
// or when nothing says what to take, Error(kRefused) when nothing is selected
// or one pattern, name or op matches nothing (unless allow_empty), with a
// suggestion: near names, op types present, --deep, --include-constants.
// Usage errors come first. `types` is looked at for options.types only.
//
//   SelectorOptions options;
//   options.ops = {"Conv", "Gemm"};
//   Selection selection = SelectValues(index, types, options);
Selection SelectValues(const GraphIndex& index, const ValueTypes& types,
                       const SelectorOptions& options);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SELECTOR_H_
