#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/feed_options.h"
#include "cli/flag_values.h"
#include "cli/freed_memory.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/run_report.h"
#include "cli/runtime_options.h"
#include "cli/selection_options.h"
#include "cli/usage.h"
#include "onnx_expose/run.h"

namespace onnx_expose::cli {
namespace {

struct RunFlags {
  std::string model;
  std::string output;
  SelectionFlags selection;
  FeedFlags feeds;
  RuntimeFlags runtime;
  std::string format = "npy";
  std::string max_memory;
  std::string stop_at;
  std::string when_env;
  bool no_verify = false;
  bool json = false;
  bool plot = false;
  RunRequest request;
};

void AddOptions(CLI::App& app, RunFlags& flags) {
  RunRequest& request = flags.request;
  Options(app, "").Positional("MODEL", flags.model, "");
  AddSelectionOptions(app, flags.selection);

  Options output(app, "Output");
  output.Text("-o,--output", flags.output, "DIR",
              "the folder to write: manifest.json, stats.csv, a file for each "
              "value");
  output.Flag("-f,--force", request.dump.force, "replace an earlier dump");
  output.Flag("--versioned", request.versioned,
              "write DIR/v1, v2, ..., each with model.onnx and outputs/");
  output.Text("--format", flags.format, "npy|npz|pb",
              "files of the values: npy (the default), one npz, or "
              "TensorProtos");
  output.Flag("--deflate", request.dump.deflate, "compress the npz");
  output.Flag("--stats-only", request.dump.stats_only,
              "statistics, but no files of values");
  output.Flag("--json", flags.json, "a report on standard output");
  output.Flag("--plot", flags.plot,
              "a small histogram of each value in the table, if that goes to a "
              "terminal");

  AddFeedOptions(app, flags.feeds);

  Options run(app, "Run");
  run.Text("--max-memory", flags.max_memory, "SIZE",
           "run in pieces whose weights and values take about this much: "
           "512M, 2G");
  run.Text("--stop-at", flags.stop_at, "nan|inf|overflow",
           "stop at the first node that makes such a value of good ones; exit "
           "1 if there is one");
  run.Flag("--no-verify", flags.no_verify,
           "don't run the untouched model to compare its outputs");
  run.Text("--when-env", flags.when_env, "VAR",
           "expose only if VAR is 1, true, yes or on, else run MODEL as it is");
  AddRuntimeOptions(app, "1 by default, for the same numbers everywhere",
                    "disable by default", flags.runtime);
}

RunRequest ReadRequest(const RunFlags& flags) {
  if (flags.model.empty()) {
    throw Usage("no model given", "onnx-expose run MODEL --ops Conv -o DIR");
  }
  if (flags.output.empty()) throw Usage("no output given", "add -o DIR");
  RunRequest request = flags.request;
  request.model = flags.model;
  request.output = flags.output;
  if (flags.when_env.empty() || IsSwitchedOn(flags.when_env)) {
    request.select = flags.selection.Read();
    request.expose.last = flags.selection.last_iteration();
  }
  if (flags.selection.given() && !flags.selection.includes_something() &&
      flags.stop_at.empty()) {
    throw Usage("nothing says which values are to be exposed",
                "add --all, --ops, --nodes or --values");
  }
  request.feeds = flags.feeds.Read();
  request.session = flags.runtime.Read();
  request.libraries = flags.runtime.Libraries();
  request.dump.format = static_cast<DumpFormat>(
      ParseChoice("--format", flags.format, {"npy", "npz", "pb"}));
  if (request.dump.deflate && request.dump.format != DumpFormat::kNpz) {
    throw Usage("--deflate compresses an npz", "add --format npz");
  }
  request.verify = !flags.no_verify;
  if (!flags.max_memory.empty()) {
    request.max_memory = ParseSize("--max-memory", flags.max_memory);
  }
  if (!flags.stop_at.empty()) {
    request.stop_at = static_cast<StopAt>(
        ParseChoice("--stop-at", flags.stop_at, {"nan", "inf", "overflow"}));
  }
  return request;
}

ExitCode Run(const RunFlags& flags, Console& console) {
  RunRequest request = ReadRequest(flags);
  ReturnFreedMemory();
  Progress progress(console);
  request.on_stage = [&](std::string_view stage) { console.Stage(stage); };
  request.on_progress = [&](const RunProgress& done) { progress.Show(done); };
  const RunResult result = RunModel(request);
  progress.Clear();
  console.Stage("");
  console.Warn(request.model, result.warnings);
  if (flags.json) {
    console.Write(RunJson(request, result));
  } else {
    console.Write(
        RunTables(result, flags.plot && ::isatty(STDOUT_FILENO) != 0));
  }
  console.Flush();
  for (const std::string& line : RunLines(request, result)) console.Say(line);
  return result.first_bad.has_value() ? ExitCode::kDifferent : ExitCode::kDone;
}

}  // namespace

Command RunCommand() {
  return {"run", "MODEL [SELECTION] -o DIR",
          "run with ONNX Runtime, save values and their statistics",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<RunFlags>();
            AddOptions(app, *flags);
            return [flags](Console& c) { return Run(*flags, c); };
          }};
}

}  // namespace onnx_expose::cli
