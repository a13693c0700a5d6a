#include "cli/selection_options.h"

#include "cli/flag_values.h"
#include "cli/options.h"
#include "onnx_expose/error.h"

namespace onnx_expose::cli {

bool SelectionFlags::given() const {
  return options.includes_something() || !values_from.empty() ||
         !options.exclude_ops.empty() || !options.exclude_nodes.empty() ||
         !options.exclude_values.empty() || options.node_inputs ||
         options.include_constants || options.allow_empty || !deep.empty();
}

SelectorOptions SelectionFlags::Read() const {
  SelectorOptions result = options;
  result.deep = !deep.empty();
  // The flag without a text reads as "true".
  if (result.deep && deep != "true") ParseChoice("--deep", deep, {"last"});
  for (const std::string& path : values_from) {
    const std::vector<std::string> names = ReadNames(path);
    if (!result.exact_values.has_value()) result.exact_values.emplace();
    result.exact_values->insert(result.exact_values->end(), names.begin(),
                                names.end());
    if (names.empty() && !options.allow_empty) {
      throw Error(ExitCode::kRefused, path,
                  {"there is no name in this file", "",
                   "--allow-empty makes that an empty selection"});
    }
  }
  return result;
}

void AddSelectionOptions(CLI::App& app, SelectionFlags& flags) {
  SelectorOptions& options = flags.options;
  Options include(app, "Selection");
  include.List("--ops", options.ops, "OP[,OP]",
               "op type: Conv in any domain, com.microsoft::Gelu in that one");
  include.Texts("--nodes", options.nodes, "PATTERN", "node name");
  include.Texts("--values", options.values, "PATTERN", "value (tensor) name");
  include.Texts("--values-from", flags.values_from, "FILE",
                "exact value names, one a line, '#' comments");
  include.Pair("--between", options.between, "FROM TO",
               "what lies on a path from value or node FROM to TO, ends "
               "included");
  include.List("--types", options.types, "TYPE[,TYPE]",
               "element type: float, float16, int64, ...");
  include.Flag("--all", options.all, "every value");
  include.FlagOrText("--deep", flags.deep, "[=last]",
                     "also values inside If/Loop/Scan bodies and functions; "
                     "last: of each loop the last iteration only");
  include.List("--exclude-ops", options.exclude_ops, "OP[,OP]",
               "not these; excludes always win");
  include.Texts("--exclude-nodes", options.exclude_nodes, "PATTERN",
                "not the values of these nodes");
  include.Texts("--exclude-values", options.exclude_values, "PATTERN",
                "not these values");
  include.Flag("--node-inputs", options.node_inputs,
               "also what the selected nodes read, if a node computes it");
  include.Flag("--include-constants", options.include_constants,
               "also values that depend on nothing but constants");
  include.Flag("--allow-empty", options.allow_empty,
               "a pattern that matches nothing is fine");
}

}  // namespace onnx_expose::cli
