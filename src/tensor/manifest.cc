#include "tensor/manifest.h"

#include <cmath>
#include <utility>

#include "support/base64.h"
#include "support/json.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

void Put(Json& object, const std::string& key, const std::string& text) {
  object[key] = text;
  if (!IsUtf8(text)) object[key + "_base64"] = Base64(text);
}

Json Texts(const std::vector<std::string>& texts) {
  Json array = Json::array();
  for (const std::string& text : texts) {
    Json object;
    Put(object, "name", text);
    array.push_back(object.size() == 1 ? object["name"] : std::move(object));
  }
  return array;
}

Json Number(bool exists, double number) {
  return exists && std::isfinite(number) ? Json(number) : Json();
}

Json StatisticsJson(const Statistics& stats, bool numbers) {
  const bool finite = stats.finite > 0;
  const auto count = [&](uint64_t n) { return numbers ? Json(n) : Json(); };
  Json json;
  json["count"] = stats.count;
  json["min"] = Number(finite, stats.min);
  json["max"] = Number(finite, stats.max);
  json["mean"] = Number(finite, stats.mean);
  json["std"] = Number(finite, stats.std);
  json["l2"] = Number(finite, stats.l2);
  json["zeros"] = count(stats.zeros);
  json["nan"] = count(stats.nan);
  json["pos_inf"] = count(stats.pos_inf);
  json["neg_inf"] = count(stats.neg_inf);
  json["first_bad"] = stats.first_bad ? Json(*stats.first_bad) : Json();
  json["histogram"] = finite ? Json(stats.histogram) : Json();
  return json;
}

Json ValueJson(const DumpedValue& value) {
  Json json;
  json["index"] = value.index;
  Put(json, "name", value.name);
  Put(json, "op_type", value.op_type);
  Put(json, "domain", value.domain);
  Put(json, "node", value.node);
  Put(json, "scope", value.scope);
  json["original_output"] = value.original_output;
  if (value.inputs.has_value()) json["inputs"] = Texts(*value.inputs);
  Put(json, "type", value.type);
  json["shape"] = HasShape(value) ? Json(value.shape) : Json();
  json["file"] = value.file.empty() ? Json() : Json(value.file);
  if (!value.member.empty()) json["member"] = value.member;
  json["stats"] = StatisticsJson(value.stats, HasNumbers(value));
  return json;
}

Json InputJson(const DumpHeader::Input& input) {
  Json json;
  Put(json, "name", input.name);
  Put(json, "type", input.type);
  json["shape"] =
      input.type.find('(') == std::string::npos ? Json(input.shape) : Json();
  Put(json, "source", input.source);
  json["file"] = input.file.empty() ? Json() : Json(input.file);
  json["sha256"] = input.sha256;
  return json;
}

}  // namespace

bool HasShape(const DumpedValue& value) {
  return value.type.find('(') == std::string::npos;
}

bool HasNumbers(const DumpedValue& value) {
  const Statistics& stats = value.stats;
  return stats.count ==
         stats.finite + stats.nan + stats.pos_inf + stats.neg_inf;
}

std::string ManifestText(const Manifest& manifest) {
  Json json;
  json["schema"] = kManifestSchema;
  json["complete"] = true;
  Put(json["model"], "path", manifest.model.path);
  json["model"]["sha256"] = manifest.model.sha256;
  Json& runtime = json["runtime"];
  Put(runtime, "version", manifest.runtime.version);
  Put(runtime, "provider", manifest.runtime.provider);
  runtime["opt_level"] = manifest.runtime.opt_level;
  runtime["threads"] = manifest.runtime.threads;
  json["inputs"] = Json::array();
  for (const auto& input : manifest.inputs) {
    json["inputs"].push_back(InputJson(input));
  }
  const auto& unchanged = manifest.original_outputs_unchanged;
  json["original_outputs_unchanged"] = unchanged ? Json(*unchanged) : Json();
  json["changed_outputs"] = Texts(manifest.changed_outputs);
  json["notes"] = Texts(manifest.notes);
  // A line for each value: short enough to read, and good for grep.
  std::string text = JsonText(json, 1);
  text.erase(text.size() - 2);  // "\n}"
  text += ",\n \"values\": [";
  for (size_t i = 0; i < manifest.values.size(); ++i) {
    text += (i == 0 ? "\n  " : ",\n  ") +
            JsonText(ValueJson(manifest.values[i]), -1);
  }
  return text + "]\n}\n";
}

}  // namespace onnx_expose
