#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/feed_options.h"
#include "cli/flag_values.h"
#include "cli/options.h"
#include "cli/runtime_options.h"
#include "cli/selection_options.h"
#include "onnx_expose/bench.h"
#include "report/table.h"
#include "support/json.h"
#include "support/text.h"

namespace onnx_expose::cli {
namespace {

struct BenchFlags {
  SelectionFlags selection;
  FeedFlags feeds;
  RuntimeFlags runtime;
  std::string only;
  std::string warmup = "3";
  std::string repeat = "20";
  bool json = false;
  BenchRequest request;
};

void AddOptions(CLI::App& app, BenchFlags& flags) {
  Options(app, "").Positional("MODEL", flags.request.model, "");
  AddSelectionOptions(app, flags.selection);
  Options bench(app, "Bench");
  bench.Text("--only", flags.only, "release|debug",
             "measure one of the two; without a selection there is no debug "
             "model");
  bench.Text("--warmup", flags.warmup, "N", "runs that don't count: 3");
  bench.Text("--repeat", flags.repeat, "N", "runs that do: 20");
  bench.Flag("--per-node", flags.request.per_node,
             "also the time of each node, from ONNX Runtime's profile");
  bench.Flag("--json", flags.json, "a report on standard output");
  AddFeedOptions(app, flags.feeds);
  flags.runtime.opt_level = "all";
  AddRuntimeOptions(app, "0 by default, as in production",
                    "all by default, as in production", flags.runtime);
}

BenchRequest ReadRequest(const BenchFlags& flags) {
  BenchRequest request = flags.request;
  if (request.model.empty()) {
    throw Error(ExitCode::kUsage, "",
                {"no model given", "", "onnx-expose bench MODEL --ops Conv"});
  }
  request.select = flags.selection.Read();
  request.expose.last = flags.selection.last_iteration();
  request.feeds = flags.feeds.Read();
  request.session = flags.runtime.Read();
  if (!flags.runtime.threads.has_value()) request.session.threads = 0;
  request.libraries = flags.runtime.Libraries();
  const auto runs = [](const char* flag, const std::string& text,
                       int64_t least) {
    const int64_t number = ParseNumber(flag, text);
    constexpr int64_t kMost = 1000000;
    if (number < least || number > kMost) {
      throw Error(ExitCode::kUsage, "",
                  {fmt::format("{} can't be {}", flag, number), "",
                   fmt::format("{} to {}", least, kMost)});
    }
    return static_cast<size_t>(number);
  };
  request.warmup = runs("--warmup", flags.warmup, 0);
  request.repeat = runs("--repeat", flags.repeat, 1);
  if (!flags.only.empty()) {
    const size_t only = ParseChoice("--only", flags.only, {"release", "debug"});
    request.release = only == 0;
    request.debug = only == 1;
    if (only == 1 && !flags.selection.includes_something()) {
      throw Error(ExitCode::kUsage, "",
                  {"there is no debug model without a selection", "",
                   "add --all, --ops, --nodes or --values"});
    }
  }
  return request;
}

Json LatencyJson(const Latency& latency) {
  return {{"runs", latency.runs},    {"min_ms", latency.min},
          {"mean_ms", latency.mean}, {"max_ms", latency.max},
          {"std_ms", latency.std},   {"p50_ms", latency.p50},
          {"p90_ms", latency.p90},   {"p95_ms", latency.p95},
          {"p99_ms", latency.p99}};
}

// Debug to release, by the median.
std::optional<double> Cost(const BenchResult& result) {
  if (!result.release || !result.debug || result.release->p50 <= 0) return {};
  return result.debug->p50 / result.release->p50;
}

std::string BenchJson(const BenchRequest& request, const BenchResult& result) {
  Json json = {{"schema", 1},
               {"model", request.model},
               {"runtime", result.runtime_version},
               {"exposed", result.exposed},
               {"release", nullptr},
               {"debug", nullptr},
               {"debug_to_release", nullptr},
               {"nodes", Json::array()}};
  if (result.release) json["release"] = LatencyJson(*result.release);
  if (result.debug) json["debug"] = LatencyJson(*result.debug);
  if (Cost(result)) json["debug_to_release"] = *Cost(result);
  for (const NodeTime& node : result.nodes) {
    json["nodes"].push_back({{"node", node.node},
                             {"op_type", node.op_type},
                             {"calls", node.calls},
                             {"ms", node.ms},
                             {"share", node.share}});
  }
  return JsonText(json, 1) + "\n";
}

std::string LatencyTable(const BenchResult& result) {
  Table table{{"MODEL", "RUNS", "MIN", "MEAN", "MAX", "STD", "P50", "P90",
               "P95", "P99"},
              {1, 2, 3, 4, 5, 6, 7, 8, 9},
              {}};
  const auto add = [&](const char* name, const std::optional<Latency>& times) {
    if (!times) return;
    std::vector<std::string> row = {name, fmt::format("{}", times->runs)};
    for (const double ms : {times->min, times->mean, times->max, times->std,
                            times->p50, times->p90, times->p95, times->p99}) {
      row.push_back(fmt::format("{:.3f} ms", ms));
    }
    table.rows.push_back(std::move(row));
  };
  add("release", result.release);
  add("debug", result.debug);
  return TableText(table);
}

std::string NodeTable(const BenchResult& result) {
  if (result.nodes.empty()) return "";
  constexpr size_t kMost = 30;
  Table table{{"NODE", "OP", "CALLS", "TIME", "SHARE"}, {2, 3, 4}, {}};
  for (const NodeTime& node : result.nodes) {
    if (table.rows.size() == kMost) break;
    table.rows.push_back({Printable(node.node), Printable(node.op_type),
                          fmt::format("{}", node.calls),
                          fmt::format("{:.3f} ms", node.ms),
                          fmt::format("{:.1f} %", 100 * node.share)});
  }
  std::string text = "\n" + TableText(table);
  const size_t left = result.nodes.size() - table.rows.size();
  if (left > 0) text += fmt::format("... and {} more\n", left);
  return text;
}

ExitCode Run(const BenchFlags& flags, Console& console) {
  BenchRequest request = ReadRequest(flags);
  request.on_stage = [&](std::string_view stage) { console.Stage(stage); };
  const BenchResult result = BenchModel(request);
  console.Stage("");
  console.Warn(request.model, result.warnings);
  console.Write(flags.json ? BenchJson(request, result)
                           : LatencyTable(result) + NodeTable(result));
  console.Flush();
  if (Cost(result)) {
    console.Say(fmt::format("exposing {} costs {:+.1f} % (median)",
                            Counted(result.exposed, "value"),
                            100 * (*Cost(result) - 1)));
  }
  return ExitCode::kDone;
}

}  // namespace

Command BenchCommand() {
  return {"bench", "MODEL [SELECTION]",
          "how long the model takes, as it is and with values exposed",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<BenchFlags>();
            AddOptions(app, *flags);
            return [flags](Console& c) { return Run(*flags, c); };
          }};
}

}  // namespace onnx_expose::cli
