#include "report/page_data.h"

#include "report/value_elements.h"
#include "report/view.h"
#include "support/base64.h"
#include "support/json.h"

namespace onnx_expose {
namespace {

Json DumpJson(const std::string& folder, const Manifest& manifest) {
  Json json{{"folder", folder},
            {"model", manifest.model.path},
            {"sha256", manifest.model.sha256},
            {"runtime",
             {{"version", manifest.runtime.version},
              {"provider", manifest.runtime.provider},
              {"opt_level", manifest.runtime.opt_level},
              {"threads", manifest.runtime.threads}}},
            {"inputs", Json::array()},
            {"outputs_unchanged", nullptr},
            {"changed_outputs", manifest.changed_outputs},
            {"notes", manifest.notes}};
  for (const DumpHeader::Input& input : manifest.inputs) {
    json["inputs"].push_back(
        {{"name", input.name}, {"type", input.type}, {"source", input.source}});
  }
  if (manifest.original_outputs_unchanged) {
    json["outputs_unchanged"] = *manifest.original_outputs_unchanged;
  }
  return json;
}

Json StatsJson(const Statistics& stats) {
  Json json{{"count", stats.count},
            {"zeros", stats.zeros},
            {"nan", stats.nan},
            {"pos_inf", stats.pos_inf},
            {"neg_inf", stats.neg_inf}};
  if (stats.finite > 0) {
    json["min"] = stats.min;
    json["max"] = stats.max;
    json["mean"] = stats.mean;
    json["std"] = stats.std;
    json["l2"] = stats.l2;
    json["histogram"] = stats.histogram;
  }
  if (stats.first_bad) json["first_bad"] = *stats.first_bad;
  return json;
}

Json SideJson(const DumpedValue* value) {
  if (value == nullptr) return nullptr;
  return {{"name", value->name},
          {"type", value->type},
          {"shape", value->shape},
          {"file", value->file},
          {"stats", StatsJson(value->stats)}};
}

template <typename Number>
Json Optional(const std::optional<Number>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json ComparedJson(const ComparedValue& compared) {
  const Metrics& metrics = compared.metrics;
  return {{"verdict", VerdictName(compared.verdict)},
          {"reason", compared.reason},
          {"count", metrics.count},
          {"outside", metrics.outside},
          {"max_abs", metrics.max_abs},
          {"mean_abs", metrics.mean_abs},
          {"max_rel", metrics.max_rel},
          {"cosine", Optional(metrics.cosine)},
          {"snr_db", Optional(metrics.snr_db)},
          {"max_ulp", Optional(metrics.max_ulp)},
          {"worst_index", Optional(metrics.worst_index)},
          {"worst_a", metrics.worst_a},
          {"worst_b", metrics.worst_b},
          {"nan_only_a", metrics.nan_only_a},
          {"nan_only_b", metrics.nan_only_b},
          {"inf_differs", metrics.inf_differs},
          {"histogram", metrics.histogram}};
}

Json ReducedJson(const std::optional<ReducedTensor>& reduced) {
  if (!reduced) return nullptr;
  return {{"dims", reduced->dims},
          {"steps", reduced->steps},
          {"offset", reduced->offset},
          {"scale", reduced->scale},
          {"codes", Base64(reduced->codes)}};
}

}  // namespace

Json ValueJson(const ReportSubject::Value& value) {
  const DumpedValue& any = value.any();
  return {
      {"name", any.name},
      {"op", any.op_type},
      {"domain", any.domain},
      {"node", any.node},
      {"scope", any.scope},
      {"output", any.original_output},
      {"view", ViewName(GuessView(any.op_type, any.shape))},
      {"a", SideJson(value.a)},
      {"b", SideJson(value.b)},
      {"compared", value.compared == nullptr ? Json(nullptr)
                                             : ComparedJson(*value.compared)}};
}

Json OverviewJson(const ReportSubject& subject) {
  Json json{{"schema", 1},
            {"complete", subject.complete()},
            {"dumps", Json::array()},
            {"first_divergence", Json::array()},
            {"values", Json::array()}};
  for (size_t i = 0; i < subject.folders().size(); ++i) {
    json["dumps"].push_back(
        DumpJson(subject.folders()[i], subject.manifests()[i]));
  }
  if (subject.comparison()) {
    json["first_divergence"] = subject.comparison()->first_divergence;
  }
  for (const ReportSubject::Value& value : subject.values()) {
    json["values"].push_back(ValueJson(value));
  }
  return json;
}

Json ElementsJson(const ReportSubject& subject,
                  const ReportSubject::Value& value, uint64_t budget) {
  const ValueElements elements = ReduceElements(subject, value, budget);
  return {{"a", ReducedJson(elements.a)},
          {"b", ReducedJson(elements.b)},
          {"diff", ReducedJson(elements.difference)},
          {"first_a", elements.first_a},
          {"first_b", elements.first_b}};
}

}  // namespace onnx_expose
