#include <fmt/format.h>

#include <cmath>

#include "report/compare_report.h"
#include "report/csv_text.h"
#include "support/json.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

Json Number(double number) {
  return std::isfinite(number) ? Json(number) : Json();
}

template <typename T>
Json Optional(const std::optional<T>& number) {
  if (!number.has_value()) return {};
  if constexpr (std::is_floating_point_v<T>) return Number(*number);
  return *number;
}

Json ToleranceJson(const Tolerance& tolerance) {
  return {{"atol", tolerance.atol},
          {"rtol", tolerance.rtol},
          {"of_peak", tolerance.of_peak},
          {"outside", tolerance.outside},
          {"min_cosine", Optional(tolerance.min_cosine)},
          {"max_ulp", Optional(tolerance.max_ulp)}};
}

void PutMetrics(const Metrics& metrics, Json& json) {
  const bool any = metrics.compared > 0;
  const auto number = [&](double x) { return any ? Number(x) : Json(); };
  json["count"] = metrics.count;
  json["compared"] = metrics.compared;
  json["outside"] = metrics.outside;
  json["nan_only_a"] = metrics.nan_only_a;
  json["nan_only_b"] = metrics.nan_only_b;
  json["inf_differs"] = metrics.inf_differs;
  json["max_abs"] = number(metrics.max_abs);
  json["mean_abs"] = number(metrics.mean_abs);
  json["p50_abs"] = number(metrics.abs_percentiles[0]);
  json["p90_abs"] = number(metrics.abs_percentiles[1]);
  json["p95_abs"] = number(metrics.abs_percentiles[2]);
  json["p99_abs"] = number(metrics.abs_percentiles[3]);
  json["max_rel"] = number(metrics.max_rel);
  json["mean_rel"] = number(metrics.mean_rel);
  json["cosine"] = Optional(metrics.cosine);
  json["snr_db"] = Optional(metrics.snr_db);
  json["psnr_db"] = Optional(metrics.psnr_db);
  json["max_ulp"] = Optional(metrics.max_ulp);
  json["argmax_agreement"] = Optional(metrics.argmax_agreement);
  json["worst_index"] = Optional(metrics.worst_index);
  json["worst_a"] = number(metrics.worst_a);
  json["worst_b"] = number(metrics.worst_b);
  json["histogram"] = any ? Json(metrics.histogram) : Json();
}

Json ValueJson(const ComparedValue& value) {
  Json json;
  json["name"] = value.name_a.empty() ? value.name_b : value.name_a;
  json["name_a"] =
      value.verdict == Verdict::kOnlyInB ? Json() : Json(value.name_a);
  json["name_b"] =
      value.verdict == Verdict::kOnlyInA ? Json() : Json(value.name_b);
  if (!value.set.empty()) json["set"] = value.set;
  json["op_type"] = value.op_type;
  json["node"] = value.node;
  json["scope"] = value.scope;
  json["type_a"] = value.type_a;
  json["type_b"] = value.type_b;
  json["verdict"] = VerdictName(value.verdict);
  json["reason"] = value.reason;
  json["tolerance"] = ToleranceJson(value.tolerance);
  PutMetrics(value.metrics, json);
  json["introduced"] = Optional(value.introduced);
  return json;
}

std::string CsvText(const Json& cell) {
  if (cell.is_null()) return "";
  if (!cell.is_string()) return JsonText(cell, -1);
  return CsvCell(cell.get<std::string>());
}

}  // namespace

std::string CompareJson(const CompareResult& result, const std::string& path_a,
                        const std::string& path_b) {
  Json json = {{"schema", 1},
               {"verdict", result.different ? "different" : "same"},
               {"a", path_a},
               {"b", path_b}};
  json["first_divergence"] = Json::array();
  for (const size_t i : result.first_divergence) {
    const ComparedValue& value = result.values[i];
    json["first_divergence"].push_back({{"name", value.name_a},
                                        {"set", value.set},
                                        {"op_type", value.op_type},
                                        {"node", value.node},
                                        {"scope", value.scope},
                                        {"reason", value.reason}});
  }
  json["values"] = Json::array();
  for (const ComparedValue& value : result.values) {
    json["values"].push_back(ValueJson(value));
  }
  json["warnings"] = Json::array();
  for (const Message& message : result.warnings) {
    json["warnings"].push_back(message.what);
  }
  return JsonText(json, -1) + "\n";
}

std::string CompareCsv(const CompareResult& result) {
  constexpr const char* kColumns[] = {
      "name_a",      "name_b",   "set",       "op_type",          "node",
      "scope",       "type_a",   "type_b",    "verdict",          "reason",
      "count",       "compared", "outside",   "nan_only_a",       "nan_only_b",
      "inf_differs", "max_abs",  "mean_abs",  "p50_abs",          "p90_abs",
      "p95_abs",     "p99_abs",  "max_rel",   "mean_rel",         "cosine",
      "snr_db",      "psnr_db",  "max_ulp",   "argmax_agreement", "worst_index",
      "worst_a",     "worst_b",  "introduced"};
  std::string text = Joined(kColumns, ",") + "\n";
  for (const ComparedValue& value : result.values) {
    const Json json = ValueJson(value);
    std::vector<std::string> cells;
    for (const char* column : kColumns) {
      cells.push_back(json.contains(column) ? CsvText(json[column]) : "");
    }
    text += Joined(cells, ",") + "\n";
  }
  return text;
}

}  // namespace onnx_expose
