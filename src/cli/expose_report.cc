#include "cli/expose_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/weights_options.h"
#include "support/json.h"
#include "support/text.h"

namespace onnx_expose::cli {
namespace {

Json MessageJson(const Message& message) {
  Json json = {{"what", message.what}};
  if (!message.note.empty()) json["note"] = message.note;
  if (!message.hint.empty()) json["hint"] = message.hint;
  return json;
}

// "12 typed, 2 of unknown rank", from the text form of the types.
std::string TypeCounts(const std::vector<ExposedValue>& added) {
  const auto count = [&](auto is) {
    return std::count_if(added.begin(), added.end(), is);
  };
  const auto untyped = count([](auto& v) { return v.type == "?"; });
  const auto no_rank = count([](auto& v) {
    return v.type != "?" && v.type.find_first_of("[(") == std::string::npos;
  });
  if (untyped + no_rank == 0) return "";
  std::vector<std::string> parts;
  const auto typed = std::ssize(added) - untyped - no_rank;
  if (typed > 0) parts.push_back(fmt::format("{} typed", typed));
  if (no_rank > 0) parts.push_back(fmt::format("{} of unknown rank", no_rank));
  if (untyped > 0) parts.push_back(fmt::format("{} of unknown type", untyped));
  return fmt::format(" ({})", Joined(parts, ", "));
}

// Whether weights were to be elsewhere than in the model.
bool IsMoved(const ExposeRequest& request) {
  return request.write.weights != Weights::kCopy && !request.copy_only &&
         !request.dry_run;
}

Json WeightsJson(const ExposeRequest& request, const WriteReport& written) {
  Json json = {{"tensors", written.moved},
               {"bytes", written.moved_bytes},
               {"inline_bytes", written.inline_bytes}};
  switch (request.write.weights) {
    case Weights::kReference:
      json["file"] = request.model;
      break;
    case Weights::kExternal:
      json["file"] = DataFileOf(request.output);
      break;
    default:
      json["file"] = request.output;
  }
  return json;
}

std::string OutputText(const std::string& path) {
  return path == "-" ? "standard output" : Quoted(path);
}

}  // namespace

std::string ReportJson(const ExposeRequest& request,
                       const ExposeResult& report) {
  Json json = {{"schema", 1}, {"model", request.model}};
  // A dry run may do without.
  json["output"] =
      request.output.empty() ? Json(nullptr) : Json(request.output);
  json["added"] = Json::array();
  for (const ExposedValue& value : report.added) {
    json["added"].push_back({{"name", value.name},
                             {"value", value.value},
                             {"scope", value.scope},
                             {"op_type", value.op_type},
                             {"domain", value.domain},
                             {"node", value.node},
                             {"output", value.output},
                             {"type", value.type}});
  }
  json["skipped"] = Json::array();
  for (const SkippedValue& value : report.skipped) {
    json["skipped"].push_back({{"name", value.name}, {"reason", value.reason}});
  }
  json["already_outputs"] = report.already_outputs;
  json["warnings"] = Json::array();
  for (const Message& message : report.warnings) {
    json["warnings"].push_back(MessageJson(message));
  }
  if (IsMoved(request)) json["weights"] = WeightsJson(request, report.written);
  return JsonText(json, 2) + "\n";
}

std::vector<std::string> ReportLines(const ExposeRequest& request,
                                     const ExposeResult& report) {
  const std::string output = OutputText(request.output);
  if (request.copy_only) {
    return {request.dry_run ? "nothing to expose: MODEL would be copied"
                            : fmt::format("nothing exposed: {} is a copy of {}",
                                          output, Quoted(request.model))};
  }
  std::vector<std::string> lines;
  const std::string count = Counted(report.added.size(), "value");
  lines.push_back((request.dry_run
                       ? count + " would be exposed"
                       : fmt::format("{} exposed in {}", count, output)) +
                  TypeCounts(report.added));
  if (IsMoved(request)) {
    lines.push_back(WeightsLine(request.model, request.output,
                                request.write.weights, report.written));
  }
  if (!report.already_outputs.empty()) {
    lines.push_back("outputs already: " + NameList(report.already_outputs));
  }
  constexpr size_t kMostSkipped = 8;
  const size_t shown = std::min(report.skipped.size(), kMostSkipped);
  for (size_t i = 0; i < shown; ++i) {
    const SkippedValue& value = report.skipped[i];
    lines.push_back(
        fmt::format("skipped {}: {}", Quoted(value.name), value.reason));
  }
  if (shown < report.skipped.size()) {
    lines.push_back(
        fmt::format("... and {} more skipped", report.skipped.size() - shown));
  }
  return lines;
}

}  // namespace onnx_expose::cli
