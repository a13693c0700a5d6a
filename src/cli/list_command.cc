#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/list_dump.h"
#include "cli/model_rows.h"
#include "cli/options.h"
#include "cli/runtime_options.h"
#include "cli/selection_options.h"
#include "model/graph_text.h"
#include "onnx_expose/loader.h"
#include "onnx_expose/rewriter.h"
#include "onnx_expose/selector.h"
#include "pipeline/probe.h"
#include "report/model_summary.h"
#include "report/value_rows.h"
#include "support/json.h"
#include "support/text.h"

namespace onnx_expose::cli {
namespace {

struct ListFlags {
  std::string model;
  SelectionFlags selection;
  bool json = false;
  bool plain = false;
  bool graph = false;
  bool summary = false;
  bool plot = false;
  ProbeFlags probe;
};

void AddOptions(CLI::App& app, ListFlags& flags) {
  Options(app, "").Positional("MODEL", flags.model, "");
  AddSelectionOptions(app, flags.selection);
  Options output(app, "Output (a table if none is given)");
  output.Flag("--json", flags.json, "summary and values as JSON");
  output.Flag("--plain", flags.plain,
              "one value a line: index, op, node, value, type, bytes, marks, "
              "scope, names as output, separated by tabs");
  output.Flag("--graph", flags.graph, "the graph as text, weights left out");
  output.Flag("--summary", flags.summary, "versions, counts and sizes only");
  output.Flag("--plot", flags.plot,
              "a small histogram of each value of a dump, if that goes to a "
              "terminal");
  Options types(app, "Types");
  AddProbeOptions(types, flags.probe);
}

void CheckListFlags(const ListFlags& flags) {
  const auto usage = [](const char* what, const char* hint) {
    return Error(ExitCode::kUsage, "", {what, "", hint});
  };
  if (flags.model.empty()) {
    throw usage("no model given", "onnx-expose list MODEL");
  }
  if (IsFolder(flags.model)) {
    if (flags.json || flags.plain || flags.graph || flags.summary ||
        flags.selection.given() || flags.probe.probe) {
      throw usage("of a dump all values are listed, as a table",
                  "manifest.json and stats.csv in it are for programs");
    }
    return;
  }
  if (flags.plot) {
    throw usage("--plot shows the values of a dump, and a model has none yet",
                "onnx-expose run MODEL --all -o DIR, then list DIR --plot");
  }
  if (flags.json + flags.plain + flags.graph + flags.summary > 1) {
    throw usage("--json, --plain, --graph and --summary exclude each other",
                "");
  }
  if ((flags.graph || flags.summary) && flags.selection.given()) {
    throw usage("--graph and --summary show the whole model: no selection", "");
  }
}

// One value a line: readable by programs and by people with grep.
std::string ListJson(const ModelSummary& summary,
                     const std::vector<ValueRow>& rows,
                     const Warnings& warnings) {
  Json notes = Json::array();
  for (const Message& message : warnings) notes.push_back(message.what);
  std::string text =
      "{\n\"schema\": 1,\n\"model\": " + JsonText(summary.path, -1) +
      ",\n\"summary\": " + JsonText(SummaryJson(summary), -1) +
      ",\n\"warnings\": " + JsonText(notes, -1) + ",\n\"values\": [";
  for (const ValueRow& row : rows) {
    text += &row == &rows.front() ? "\n" : ",\n";
    text += JsonText(ValueJson(row), -1);
  }
  return text + "\n]\n}\n";
}

// Brings the values of bodies and functions out of a copy, to see what they
// will be called.
void AddExposedNames(const Skeleton& model, const ValueTypes& types,
                     const InferOptions& infer, const std::vector<int>& values,
                     bool last, std::vector<ValueRow>& rows) {
  Skeleton copy = model.Clone();
  const GraphIndex index(copy.proto);
  Selection inner;
  for (const int i : values) {
    const Value& value = index.values()[static_cast<size_t>(i)];
    if (value.scope != 0 && value.node >= 0 && !value.added) {
      inner.values.push_back(i);
    }
  }
  if (inner.values.empty()) return;
  ExposeOptions options;
  options.last = last;
  options.infer = infer;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> names;
  try {
    const ExposeReport report =
        ExposeOutputs(copy, index, types, inner, options);
    for (const ExposedValue& added : report.added) {
      names[{added.scope, added.value}].push_back(added.name);
    }
  } catch (const Error&) {
    return;  // expose will say why they have none
  }
  for (ValueRow& row : rows) {
    const auto found = names.find({row.scope, row.value});
    if (!row.scope.empty() && found != names.end()) {
      row.exposed_as = found->second;
    }
  }
}

void ListValues(const ListFlags& flags, const Skeleton& model,
                const GraphIndex& index, Console& console) {
  console.Stage("infer");
  InferOptions infer;
  const ValueTypes types =
      InferOrProbeTypes(model, index, flags.probe.Read(), infer);
  const bool all = !flags.selection.given();
  Selection selection{AllValues(index), {}};
  if (!all) {
    console.Stage("select");
    SelectorOptions options = flags.selection.Read();
    if (!options.includes_something()) options.all = true;
    selection = SelectValues(index, types, options);
  }
  console.Stage("print");
  std::vector<ValueRow> rows = RowsOf(index, types, selection.values);
  AddExposedNames(model, types, infer, selection.values,
                  flags.selection.last_iteration(), rows);
  Warnings warnings = types.warnings;
  warnings.insert(warnings.end(), selection.warnings.begin(),
                  selection.warnings.end());
  if (flags.json) {
    console.Write(ListJson(Summarize(model, index), rows, warnings));
  } else if (flags.plain) {
    console.Write(ValueRecords(rows));
  } else {
    if (all) console.Write(SummaryText(Summarize(model, index)) + "\n");
    console.Write(ValueTable(rows));
  }
  console.Flush();
  console.Stage("");
  console.Warn(flags.model, warnings);
  if (!all) {
    const auto old = static_cast<size_t>(
        std::count_if(rows.begin(), rows.end(),
                      [](const ValueRow& row) { return row.is_output; }));
    console.Say(fmt::format("{} selected, {} of them outputs already",
                            Counted(rows.size(), "value"), old));
  }
}

ExitCode RunList(const ListFlags& flags, Console& console) {
  CheckListFlags(flags);
  if (IsFolder(flags.model)) {
    ListDump(flags.model, flags.plot, console);
    return ExitCode::kDone;
  }
  console.Stage("load");
  const Skeleton model = LoadModel(flags.model);
  if (flags.graph) {
    console.Write(GraphText(model));
    return ExitCode::kDone;
  }
  const GraphIndex index(model.proto);
  if (flags.summary) {
    console.Write(SummaryText(Summarize(model, index)));
    return ExitCode::kDone;
  }
  ListValues(flags, model, index, console);
  return ExitCode::kDone;
}

}  // namespace

Command ListCommand() {
  return {"list", "MODEL [SELECTION]",
          "what there is, or what a selection would expose",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<ListFlags>();
            AddOptions(app, *flags);
            return [flags](Console& c) { return RunList(*flags, c); };
          }};
}

}  // namespace onnx_expose::cli
