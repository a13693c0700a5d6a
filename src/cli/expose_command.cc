#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/expose_report.h"
#include "cli/flag_values.h"
#include "cli/options.h"
#include "cli/runtime_options.h"
#include "cli/selection_options.h"
#include "cli/usage.h"
#include "cli/weights_options.h"
#include "onnx_expose/pipeline.h"

namespace onnx_expose::cli {
namespace {

struct ExposeFlags {
  std::string model;
  std::optional<std::string> output;
  SelectionFlags selection;
  std::string untyped = "keep";
  std::string weights = "copy";
  std::vector<std::string> types;
  std::vector<std::string> dims;
  std::vector<std::string> shapes;
  std::string when_env;
  ProbeFlags probe;
  bool no_infer = false;
  bool no_provenance = false;
  bool json = false;
  // Everything else goes where it is needed.
  ExposeRequest request;
};

void AddOptions(CLI::App& app, ExposeFlags& flags) {
  ExposeRequest& request = flags.request;
  Options hidden(app, "");
  hidden.Positional("MODEL", flags.model, "");
  AddSelectionOptions(app, flags.selection);

  Options output(app, "Output");
  output.Text("-o,--output", flags.output, "OUT",
              "the file to write, '-' for standard output");
  output.Flag("-f,--force", request.write.force, "replace an existing file");
  output.Flag("-n,--dry-run", request.dry_run,
              "everything but the write; needs no -o");
  output.Flag("--json", flags.json, "a report on standard output");
  output.Text("--suffix", request.expose.suffix, "TEXT",
              "expose a copy named value + TEXT, leave the value alone");
  output.Flag("--annotate", request.expose.annotate,
              "also write all types to value_info and op, type and shape to "
              "the nodes' doc_string, for viewers");
  output.Flag("--copy-data", request.write.copy_data,
              "OUT in another folder: copy external data files too");
  AddWeightsOption(output, flags.weights);
  output.Text("--when-env", flags.when_env, "VAR",
              "expose only if VAR is 1, true, yes or on, else copy MODEL");
  output.Text("--depfile", request.depfile, "FILE",
              "write a make rule: OUT depends on MODEL and its data files");
  output.Flag("--no-provenance", flags.no_provenance,
              "leave out the metadata entry that strip uses");

  Options types(app, "Types");
  types.Text("--untyped", flags.untyped, "keep|skip|error",
             "values whose type or rank is unknown: keep (the default), leave "
             "out, or stop");
  types.Texts("--type", flags.types, "NAME=TYPE",
              "a type that inference can't find: float[N,?,4], float[] (a "
              "scalar), float (rank unknown), seq(...), optional(...), "
              "map(string,float)");
  types.Texts("--dim", flags.dims, "N=2", "give a symbolic input dim a size");
  types.Texts("--shape", flags.shapes, "x=1,3,224,224",
              "give an input a shape");
  types.Flag("--no-infer", flags.no_infer,
             "no shape inference: types from value_info only");
  types.Flag("--strict", request.strict,
             "the result must pass the ONNX checker's full check");
  AddProbeOptions(types, flags.probe);
}

void CheckExposeFlags(const ExposeFlags& flags) {
  if (flags.model.empty()) {
    throw Usage("no model given", "onnx-expose MODEL --ops Conv -o OUT");
  }
  if (!flags.output && !flags.request.dry_run) {
    throw Usage("no output given",
                "add -o OUT, or -n to see what would be exposed");
  }
  if (!flags.request.depfile.empty() && flags.output == "-") {
    throw Usage("--depfile needs an output that has a name");
  }
  if (flags.json && flags.output == "-") {
    throw Usage(
        "the report of --json and the model of '-o -' can't share "
        "standard output");
  }
}

ExposeRequest ReadRequest(const ExposeFlags& flags) {
  CheckExposeFlags(flags);
  ExposeRequest request = flags.request;
  request.model = flags.model;
  request.output = flags.output.value_or("");
  request.write.weights = ParseWeights(flags.weights);
  request.copy_only = !flags.when_env.empty() && !IsSwitchedOn(flags.when_env);
  request.select = flags.selection.Read();
  request.expose.last = flags.selection.last_iteration();
  request.infer.infer = !flags.no_infer;
  request.probe = flags.probe.Read();
  request.expose.provenance = !flags.no_provenance;
  request.expose.untyped = static_cast<Untyped>(
      ParseChoice("--untyped", flags.untyped, {"keep", "skip", "error"}));
  for (const std::string& text : flags.types) {
    const auto [name, type] = SplitAssignment("--type", text, "NAME=TYPE");
    request.infer.given.emplace_back(name, ParseType(type));
  }
  for (const std::string& text : flags.dims) {
    const auto [name, size] = SplitAssignment("--dim", text, "N=2");
    request.dims.dims.emplace_back(name, ParseNumber("--dim", size));
  }
  for (const std::string& text : flags.shapes) {
    const auto [name, dims] = SplitAssignment("--shape", text, "x=1,3,224,224");
    request.dims.shapes.emplace_back(name, ParseNumbers("--shape", dims));
  }
  return request;
}

ExitCode RunExpose(const ExposeFlags& flags, Console& console) {
  ExposeRequest request = ReadRequest(flags);
  request.on_stage = [&](std::string_view stage) { console.Stage(stage); };
  const ExposeResult result = ExposeModel(request);
  console.Stage("");
  console.Warn(request.model, result.warnings);
  if (flags.json) console.Write(ReportJson(request, result));
  console.Flush();
  for (const std::string& line : ReportLines(request, result)) {
    console.Say(line);
  }
  return ExitCode::kDone;
}

}  // namespace

Command ExposeCommand() {
  return {"expose", "MODEL [SELECTION] -o OUT",
          "append values to graph.output, save (the default)",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<ExposeFlags>();
            AddOptions(app, *flags);
            return [flags](Console& c) { return RunExpose(*flags, c); };
          }};
}

}  // namespace onnx_expose::cli
