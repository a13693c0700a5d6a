#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/options.h"
#include "onnx_expose/pipeline.h"
#include "support/text.h"

namespace onnx_expose::cli {
namespace {

void AddOptions(CLI::App& app, StripRequest& request) {
  Options(app, "").Positional("DEBUG", request.model, "");
  Options output(app, "Output");
  output.Text("-o,--output", request.output, "OUT",
              "the file to write, '-' for standard output");
  output.Flag("-f,--force", request.write.force, "replace an existing file");
  output.Flag("--copy-data", request.write.copy_data,
              "OUT in another folder: copy external data files too");
  output.Flag("--allow-empty", request.allow_empty,
              "nothing to take away is fine: OUT is a copy");
}

ExitCode RunStrip(StripRequest request, Console& console) {
  const auto need = [](bool given, const char* what) {
    if (given) return;
    throw Error(ExitCode::kUsage, "",
                {what, "", "onnx-expose strip DEBUG -o OUT"});
  };
  need(!request.model.empty(), "no model given");
  need(!request.output.empty(), "no output given");
  request.on_stage = [&](std::string_view stage) { console.Stage(stage); };
  const StripReport report = StripModel(request);
  console.Stage("");
  console.Warn(request.model, report.warnings);
  console.Say(fmt::format(
      "{} taken away, {} written", Counted(report.removed.size(), "output"),
      request.output == "-" ? "standard output" : Quoted(request.output)));
  return ExitCode::kDone;
}

}  // namespace

Command StripCommand() {
  return {"strip", "DEBUG -o OUT", "undo expose: the original again",
          [](CLI::App& app) -> Action {
            const auto request = std::make_shared<StripRequest>();
            AddOptions(app, *request);
            return [request](Console& c) { return RunStrip(*request, c); };
          }};
}

}  // namespace onnx_expose::cli
