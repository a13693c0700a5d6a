#include "cli/run_report.h"

#include <fmt/format.h>

#include "report/dump_report.h"
#include "support/json.h"
#include "support/text.h"
#include "tensor/manifest.h"

namespace onnx_expose::cli {
namespace {

constexpr size_t kMostRows = 20;
constexpr const char* kBadNames[] = {"NaN", "infinity", "overflow"};

std::string Described(const DumpedValue& value) {
  const std::string node =
      value.node.empty() ? "(unnamed)" : Quoted(value.node);
  const std::string scope =
      value.scope.empty() ? "" : " in " + Quoted(value.scope);
  return fmt::format("{} {}{}, value {}", Printable(value.op_type), node, scope,
                     Quoted(value.name));
}

std::string FirstBadLine(const RunRequest& request, const RunResult& result) {
  const char* what = kBadNames[static_cast<size_t>(*request.stop_at)];
  if (!result.first_bad.has_value()) {
    return fmt::format("no node makes {} of inputs without", what);
  }
  const BadValue& bad = *result.first_bad;
  std::string line = fmt::format("first {}: {}", what, Described(bad.value));
  if (bad.value.stats.first_bad.has_value()) {
    line += fmt::format(", element {}", *bad.value.stats.first_bad);
  }
  if (!bad.set.empty()) line += fmt::format(", data set {}", Quoted(bad.set));
  if (!bad.inputs_known) {
    line += "; not all that it reads could be looked at";
  }
  return line;
}

}  // namespace

std::string RunJson(const RunRequest& request, const RunResult& result) {
  Json json = {
      {"schema", 1}, {"model", request.model}, {"output", request.output}};
  if (!result.debug_model.empty()) json["debug_model"] = result.debug_model;
  json["pieces"] = result.pieces;
  json["sets"] = Json::array();
  for (const RunResult::Set& set : result.sets) {
    json["sets"].push_back(
        {{"name", set.name},
         {"folder", set.folder},
         {"manifest", ParseJson(ManifestText(set.manifest))}});
  }
  json["skipped"] = Json::array();
  for (const SkippedValue& value : result.exposed.skipped) {
    json["skipped"].push_back({{"name", value.name}, {"reason", value.reason}});
  }
  if (request.stop_at.has_value()) {
    json["first_bad"] = nullptr;
    if (result.first_bad.has_value()) {
      const BadValue& bad = *result.first_bad;
      json["first_bad"] = {
          {"name", bad.value.name}, {"op_type", bad.value.op_type},
          {"node", bad.value.node}, {"scope", bad.value.scope},
          {"set", bad.set},         {"inputs_known", bad.inputs_known}};
    }
  }
  json["warnings"] = Json::array();
  for (const Message& message : result.warnings) {
    json["warnings"].push_back(message.what);
  }
  return JsonText(json, -1) + "\n";
}

std::string RunTables(const RunResult& result, bool plot) {
  std::string text;
  for (const RunResult::Set& set : result.sets) {
    if (!set.name.empty()) text += Printable(set.name) + ":\n";
    text += StatisticsTable(set.manifest, kMostRows, plot);
  }
  return text;
}

std::vector<std::string> RunLines(const RunRequest& request,
                                  const RunResult& result) {
  std::vector<std::string> lines;
  for (const SkippedValue& value : result.exposed.skipped) {
    lines.push_back(
        fmt::format("left out {}: {}", Quoted(value.name), value.reason));
  }
  for (const RunResult::Set& set : result.sets) {
    lines.push_back(fmt::format("{} in {}",
                                Counted(set.manifest.values.size(), "value"),
                                Quoted(set.folder)));
    const std::optional<bool> same = set.manifest.original_outputs_unchanged;
    if (same.value_or(false)) {
      lines.push_back(
          "the model's own outputs are bit for bit those of the untouched "
          "model");
    }
  }
  if (result.pieces > 1) {
    lines.push_back(fmt::format("run in {}", Counted(result.pieces, "piece")));
  }
  if (request.stop_at.has_value()) {
    lines.push_back(FirstBadLine(request, result));
  }
  return lines;
}

}  // namespace onnx_expose::cli
