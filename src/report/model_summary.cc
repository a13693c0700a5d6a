#include "report/model_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/json.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

std::string HeadLine(const ModelSummary& summary) {
  std::string text =
      fmt::format("{}: IR {}", Printable(summary.path), summary.ir_version);
  for (const auto& [domain, version] : summary.opsets) {
    text += fmt::format(", {} {}", domain.empty() ? "opset" : Printable(domain),
                        version);
  }
  if (!summary.producer.empty()) {
    text += ", by " + Printable(summary.producer);
    if (!summary.producer_version.empty()) {
      text += " " + Printable(summary.producer_version);
    }
  }
  return text;
}

std::string NodesLine(const ModelSummary& summary) {
  constexpr size_t kMostOps = 8;
  std::vector<std::string> parts;
  for (const auto& [op, count] : summary.ops) {
    if (parts.size() == kMostOps) {
      parts.push_back(fmt::format("... and {} more op types",
                                  summary.ops.size() - kMostOps));
      break;
    }
    parts.push_back(fmt::format("{} {}", count, Printable(op)));
  }
  return fmt::format("{}{}{}", Counted(summary.nodes, "node"),
                     parts.empty() ? "" : ": ", Joined(parts, ", "));
}

std::string CountsLine(const ModelSummary& summary) {
  std::string text = Counted(summary.inputs.size(), "input") + ", " +
                     Counted(summary.outputs.size(), "output");
  if (summary.bodies > 0) {
    text += fmt::format(", {} {}", summary.bodies,
                        summary.bodies == 1 ? "body" : "bodies");
  }
  if (summary.functions > 0) {
    text += ", " + Counted(summary.functions, "function");
  }
  return text;
}

Json NamedTypes(
    const std::vector<std::pair<std::string, std::string>>& values) {
  Json json = Json::array();
  for (const auto& [name, type] : values) {
    json.push_back({{"name", name}, {"type", type}});
  }
  return json;
}

}  // namespace

std::string SummaryText(const ModelSummary& summary) {
  return fmt::format("{}\n{}\n{}\n{}, {}, {} in a file of {}\n",
                     HeadLine(summary), NodesLine(summary), CountsLine(summary),
                     Counted(summary.initializers, "initializer"),
                     Counted(summary.parameters, "parameter"),
                     ByteText(summary.weight_bytes),
                     ByteText(summary.file_bytes));
}

Json SummaryJson(const ModelSummary& summary) {
  Json json;
  json["ir_version"] = summary.ir_version;
  json["opsets"] = Json::array();
  for (const auto& [domain, version] : summary.opsets) {
    json["opsets"].push_back({{"domain", domain}, {"version", version}});
  }
  json["producer"] = summary.producer;
  json["producer_version"] = summary.producer_version;
  json["graph"] = summary.graph;
  json["inputs"] = NamedTypes(summary.inputs);
  json["outputs"] = NamedTypes(summary.outputs);
  json["nodes"] = summary.nodes;
  json["ops"] = Json::array();
  for (const auto& [op, count] : summary.ops) {
    json["ops"].push_back({{"op", op}, {"nodes", count}});
  }
  json["bodies"] = summary.bodies;
  json["functions"] = summary.functions;
  json["initializers"] = summary.initializers;
  json["parameters"] = summary.parameters;
  json["weight_bytes"] = summary.weight_bytes;
  json["file_bytes"] = summary.file_bytes;
  return json;
}

}  // namespace onnx_expose
