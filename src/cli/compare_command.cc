#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/compare_models.h"
#include "cli/compare_options.h"
#include "cli/flag_values.h"
#include "cli/freed_memory.h"
#include "cli/options.h"
#include "cli/text_file.h"
#include "cli/usage.h"
#include "onnx_expose/compare.h"
#include "report/compare_report.h"
#include "support/text.h"

namespace onnx_expose::cli {
namespace {

struct CompareCommandFlags {
  std::string a;
  std::string b;
  CompareFlags compare;
  std::string sort = "worst";
  std::string rows = "20";
  std::string csv;
  std::string junit;
  std::string baseline;
  bool json = false;
  bool suggest = false;
  bool update_baseline = false;
  bool statistics_only = false;
  CompareModelFlags models;
};

void AddOptions(CLI::App& app, CompareCommandFlags& flags) {
  Options positional(app, "");
  positional.Positional("A", flags.a, "");
  positional.Positional("B", flags.b, "");
  AddCompareOptions(app, flags.compare);
  Options output(app, "Output");
  output.Text("--sort", flags.sort, "KEY",
              "rows of the table: worst (the default), run, name, max-abs, "
              "max-rel, cosine or introduced first");
  output.Text("--rows", flags.rows, "N", "rows of the table (20); 0: all");
  output.Flag("--json", flags.json, "everything as JSON instead of the table");
  output.Text("--csv", flags.csv, "FILE", "everything as CSV");
  output.Text("--junit", flags.junit, "FILE",
              "a test case for each value, for CI systems");
  output.Flag("--suggest-map", flags.suggest,
              "propose pairs of what is on one side only, as lines for "
              "--map-file; compares nothing else");
  Options baseline(app, "Baseline");
  baseline.Text("--baseline", flags.baseline, "DIR",
                "in the place of B: what --update-baseline saved there");
  baseline.Flag("--update-baseline", flags.update_baseline,
                "save A as the baseline instead of comparing");
  baseline.Flag("--stats-only", flags.statistics_only,
                "compare, or save, statistics instead of elements");
  AddCompareModelOptions(app, flags.models);
}

std::string SuggestionText(const std::vector<SuggestedPair>& pairs) {
  std::string text;
  for (const SuggestedPair& pair : pairs) {
    text += fmt::format("# {:.0f} % sure\n{}\t{}\n", 100 * pair.confidence,
                        pair.name_a, pair.name_b);
  }
  return text;
}

// What A is compared with.
std::string SecondSide(const CompareCommandFlags& flags) {
  if (!flags.baseline.empty() && !flags.b.empty()) {
    throw Usage("both B and --baseline are given",
                "--baseline takes the place of B");
  }
  if (flags.update_baseline && flags.baseline.empty()) {
    throw Usage("--update-baseline needs to know where it is",
                "add --baseline DIR");
  }
  const std::string& b = flags.baseline.empty() ? flags.b : flags.baseline;
  if (flags.a.empty() || b.empty()) {
    throw Usage("two sides are to be compared",
                "onnx-expose compare DUMP_A DUMP_B");
  }
  return b;
}

ExitCode UpdateBaseline(const CompareCommandFlags& flags, Console& console) {
  if (IsModel(flags.a)) {
    throw Usage("a baseline is made of saved values",
                "save them first: onnx-expose run MODEL --all -o DIR");
  }
  const std::unique_ptr<ValueSource> a = OpenValues(flags.a);
  SaveBaseline(*a, flags.baseline, flags.statistics_only);
  console.Say(fmt::format("{} in the baseline {}",
                          Counted(a->entries().size(), "value"),
                          Quoted(flags.baseline)));
  return ExitCode::kDone;
}

ExitCode Run(const CompareCommandFlags& given, Console& console) {
  ReturnFreedMemory();
  CompareCommandFlags flags = given;
  flags.b = SecondSide(given);
  if (flags.update_baseline) return UpdateBaseline(flags, console);
  CompareOptions options = flags.compare.Read();
  options.statistics_only = flags.statistics_only;
  options.distribution = flags.json || !flags.csv.empty();
  const auto order = static_cast<CompareOrder>(ParseChoice(
      "--sort", flags.sort,
      {"worst", "run", "name", "max-abs", "max-rel", "cosine", "introduced"}));
  const int64_t rows = ParseNumber("--rows", flags.rows);
  if (rows < 0) throw Usage("--rows is less than 0");
  const bool models = IsModel(flags.a) && IsModel(flags.b);
  if (!models && (IsModel(flags.a) || IsModel(flags.b))) {
    throw Usage("one side is a model, the other one saved values",
                "save the model's values first: onnx-expose run MODEL --all "
                "-o DIR");
  }
  if (flags.suggest) {
    if (models) {
      throw Usage("--suggest-map reads saved values",
                  "save them first: onnx-expose run MODEL --all -o DIR");
    }
    const std::unique_ptr<ValueSource> a = OpenValues(flags.a);
    const std::unique_ptr<ValueSource> b = OpenValues(flags.b);
    console.Write(SuggestionText(SuggestPairs(*a, *b, options)));
    console.Flush();
    return ExitCode::kDone;
  }
  CompareResult result;
  if (models) {
    const ComparedRuns runs(flags.models, flags.a, flags.b, options, console);
    if (runs.ExtractIfAsked(console)) return ExitCode::kDone;
    result = runs.Compare();
    console.Stage("");
  } else {
    flags.models.RefuseWithoutModels();
    result = CompareValues(*OpenValues(flags.a), *OpenValues(flags.b), options);
  }
  console.Warn("", result.warnings);
  if (flags.json) {
    console.Write(CompareJson(result, flags.a, flags.b));
  } else {
    console.Write(CompareTable(result, order, static_cast<size_t>(rows)));
  }
  console.Flush();
  if (!flags.csv.empty()) WriteTextFile(flags.csv, CompareCsv(result));
  if (!flags.junit.empty()) {
    WriteTextFile(flags.junit,
                  CompareJunit(result, flags.a, flags.b, options.require_all));
  }
  for (const std::string& line : DivergenceLines(result)) console.Say(line);
  console.Say(CompareSummary(result));
  return result.different ? ExitCode::kDifferent : ExitCode::kDone;
}

}  // namespace

Command CompareCommand() {
  return {"compare", "A B", "which values differ, and where it begins",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<CompareCommandFlags>();
            AddOptions(app, *flags);
            return [flags](Console& c) { return Run(*flags, c); };
          }};
}

}  // namespace onnx_expose::cli
