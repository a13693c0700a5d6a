
#include "onnx_expose/report.h"
#include "support/json.h"

namespace onnx_expose {
namespace {

bool HasNotFinite(const DumpedValue* value) {
  return value != nullptr &&
         value->stats.nan + value->stats.pos_inf + value->stats.neg_inf > 0;
}

double NumberOf(const ReportSubject::Value& value) {
  if (value.compared != nullptr) return value.compared->metrics.max_abs;
  return GreatestMagnitude(value.any().stats);
}

}  // namespace

std::string ModelExplorerReport(const ReportSubject& subject) {
  Json results = Json::object();
  for (const ReportSubject::Value& value : subject.values()) {
    const double number = NumberOf(value);
    const bool bad = HasNotFinite(value.a) || HasNotFinite(value.b);
    Json result{{"value", std::isfinite(number) ? number : 0}};
    if (bad) result["bgColor"] = "#d627a0";
    results[value.any().name] = std::move(result);
  }
  // Cividis, for eyes that don't tell red from green.
  const Json json{
      {"results", std::move(results)},
      {"name", subject.comparison() ? "greatest difference (magenta: NaN, Inf)"
                                    : "greatest magnitude (magenta: NaN, Inf)"},
      {"gradient", Json::array({{{"stop", 0}, {"bgColor", "#a6bbe0"}},
                                {{"stop", 0.5}, {"bgColor", "#a59c74"}},
                                {{"stop", 1}, {"bgColor", "#fee838"}}})}};
  return JsonText(json, 1) + "\n";
}

}  // namespace onnx_expose
