#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/weights_options.h"
#include "onnx_expose/pipeline.h"
#include "support/text.h"

namespace onnx_expose::cli {
namespace {

struct StripFlags {
  std::string weights = "copy";
  StripRequest request;
};

void AddOptions(CLI::App& app, StripFlags& flags) {
  StripRequest& request = flags.request;
  Options(app, "").Positional("DEBUG", request.model, "");
  Options output(app, "Output");
  output.Text("-o,--output", request.output, "OUT",
              "the file to write, '-' for standard output");
  output.Flag("-f,--force", request.write.force, "replace an existing file");
  output.Flag("--copy-data", request.write.copy_data,
              "OUT in another folder: copy external data files too");
  AddWeightsOption(output, flags.weights);
  output.Flag("--allow-empty", request.allow_empty,
              "nothing to take away is fine: OUT is a copy");
}

ExitCode RunStrip(const StripFlags& flags, Console& console) {
  StripRequest request = flags.request;
  request.write.weights = ParseWeights(flags.weights);
  const auto need = [](bool given, const char* what) {
    if (given) return;
    throw Error(ExitCode::kUsage, "",
                {what, "", "onnx-expose strip DEBUG -o OUT"});
  };
  need(!request.model.empty(), "no model given");
  need(!request.output.empty(), "no output given");
  request.on_stage = [&](std::string_view stage) { console.Stage(stage); };
  const StripResult result = StripModel(request);
  console.Stage("");
  console.Warn(request.model, result.warnings);
  console.Say(fmt::format(
      "{} taken away, {} written", Counted(result.removed.size(), "output"),
      request.output == "-" ? "standard output" : Quoted(request.output)));
  const std::string weights = WeightsLine(
      request.model, request.output, request.write.weights, result.written);
  if (!weights.empty()) console.Say(weights);
  return ExitCode::kDone;
}

}  // namespace

Command StripCommand() {
  return {"strip", "DEBUG -o OUT", "undo expose: the original again",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<StripFlags>();
            AddOptions(app, *flags);
            return [flags](Console& c) { return RunStrip(*flags, c); };
          }};
}

}  // namespace onnx_expose::cli
