#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/flag_values.h"
#include "cli/options.h"
#include "cli/text_file.h"
#include "cli/usage.h"
#include "onnx_expose/channels.h"
#include "report/channel_report.h"

namespace onnx_expose::cli {
namespace {

struct ChannelsFlags {
  std::string dump;
  std::string model;
  std::optional<std::string> axis;
  std::optional<std::string> threshold;
  std::string rows = "20";
  std::string csv;
  bool json = false;
};

void AddOptions(CLI::App& app, ChannelsFlags& flags) {
  Options(app, "").Positional("DIR", flags.dump, "");
  Options channels(app, "Channels");
  channels.Text("--axis", flags.axis, "N",
                "the channels' axis; otherwise 1 of images and convolutions, "
                "the last elsewhere");
  channels.Text("--threshold", flags.threshold, "SHARE",
                "weak is below this share of the median channel (0.1)");
  channels.Text("--model", flags.model, "MODEL",
                "where weights get their names; otherwise the dump says");
  Options output(app, "Output");
  output.Text("--rows", flags.rows, "N", "rows of the table (20); 0: all");
  output.Flag("--json", flags.json, "all channels as JSON instead");
  output.Text("--csv", flags.csv, "FILE", "all channels as CSV");
}

// A model that isn't where it was is no reason to stop, unless it was named.
void AddWeights(const ChannelsFlags& flags, const ValueSource& source,
                std::vector<ValueChannels>& values, Console& console) {
  if (!flags.model.empty()) return NameWeights(flags.model, values);
  const std::vector<const Manifest*> manifests = source.manifests();
  if (manifests.empty() || manifests.front()->model.path == "-") return;
  const std::string& model = manifests.front()->model.path;
  try {
    NameWeights(model, values);
  } catch (const Error& error) {
    console.Warn(model, {"the weights have no names: " + error.message().what,
                         "", "--model MODEL says where the model is"});
  }
}

ExitCode Run(const ChannelsFlags& flags, Console& console) {
  if (flags.dump.empty()) {
    throw Usage("no dump given", "onnx-expose run MODEL --all -o DIR");
  }
  ChannelOptions options;
  if (flags.axis) {
    options.axis = static_cast<int>(ParseNumber("--axis", *flags.axis));
  }
  if (flags.threshold) {
    options.threshold = ParseReal("--threshold", *flags.threshold, 0, 1);
  }
  const int64_t rows = ParseNumber("--rows", flags.rows);
  if (rows < 0) throw Usage("--rows is less than 0");
  const std::unique_ptr<ValueSource> source = OpenValues(flags.dump);
  std::vector<ValueChannels> values = ChannelsOf(*source, options);
  AddWeights(flags, *source, values, console);
  if (flags.json) {
    console.Write(ChannelJson(values, flags.dump));
  } else {
    console.Write(ChannelTable(values, static_cast<size_t>(rows)));
  }
  console.Flush();
  if (!flags.csv.empty()) WriteTextFile(flags.csv, ChannelCsv(values));
  console.Say(ChannelSummary(values));
  return ExitCode::kDone;
}

}  // namespace

Command ChannelsCommand() {
  return {"channels", "DIR", "weak, dead and near-duplicate channels of a dump",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<ChannelsFlags>();
            AddOptions(app, *flags);
            return [flags](Console& c) { return Run(*flags, c); };
          }};
}

}  // namespace onnx_expose::cli
