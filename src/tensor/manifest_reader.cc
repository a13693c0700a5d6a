#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>

#include "onnx_expose/error.h"
#include "support/base64.h"
#include "support/json.h"
#include "support/text.h"
#include "tensor/manifest.h"

namespace onnx_expose {
namespace {

// What is wrong with a manifest that is JSON.
struct Damage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const Json& Member(const Json& object, const std::string& key) {
  if (!object.is_object()) throw Damage("an object was expected");
  const auto at = object.find(key);
  if (at == object.end()) throw Damage(fmt::format("'{}' is missing", key));
  return *at;
}

const Json& ArrayOf(const Json& object, const std::string& key) {
  const Json& array = Member(object, key);
  if (!array.is_array()) throw Damage(fmt::format("'{}' is no array", key));
  return array;
}

std::string GetText(const Json& object, const std::string& key) {
  const Json& text = Member(object, key);
  if (!text.is_string()) throw Damage(fmt::format("'{}' is no text", key));
  const auto raw = object.find(key + "_base64");
  if (raw == object.end()) return text.get<std::string>();
  std::optional<std::string> bytes;
  if (raw->is_string()) bytes = FromBase64(raw->get<std::string>());
  if (!bytes) throw Damage(fmt::format("'{}_base64' is no base64", key));
  return *bytes;
}

// null and a key that isn't there: nothing.
std::string GetOptionalText(const Json& object, const std::string& key) {
  const auto at = object.find(key);
  return at == object.end() || at->is_null() ? "" : GetText(object, key);
}

template <typename Int>
Int ToInteger(const Json& number, const std::string& key) {
  // A negative number is the one kind that is no unsigned one.
  const bool negative =
      number.is_number_integer() && !number.is_number_unsigned();
  const auto most = static_cast<uint64_t>(std::numeric_limits<Int>::max());
  if (!number.is_number_unsigned() && !negative) {
    throw Damage(fmt::format("'{}' is no whole number", key));
  }
  if (negative || number.get<uint64_t>() > most) {
    throw Damage(fmt::format("'{}' is out of range", key));
  }
  return static_cast<Int>(number.get<uint64_t>());
}

template <typename Int>
Int GetInteger(const Json& object, const std::string& key) {
  return ToInteger<Int>(Member(object, key), key);
}

uint64_t GetCount(const Json& object, const std::string& key) {
  const Json& count = Member(object, key);
  return count.is_null() ? 0 : ToInteger<uint64_t>(count, key);
}

// null: the number was infinite if others are there, else there is none.
double GetNumber(const Json& object, const std::string& key) {
  const Json& number = Member(object, key);
  if (number.is_null()) return 0;
  if (!number.is_number()) throw Damage(fmt::format("'{}' is no number", key));
  return number.get<double>();
}

std::vector<std::string> GetTexts(const Json& object, const std::string& key) {
  std::vector<std::string> texts;
  for (const Json& each : ArrayOf(object, key)) {
    if (each.is_object()) {
      texts.push_back(GetText(each, "name"));
    } else if (each.is_string()) {
      texts.push_back(each.get<std::string>());
    } else {
      throw Damage(fmt::format("'{}' holds something else than text", key));
    }
  }
  return texts;
}

Statistics GetStatistics(const Json& json) {
  Statistics stats;
  stats.count = GetInteger<uint64_t>(json, "count");
  stats.min = GetNumber(json, "min");
  stats.max = GetNumber(json, "max");
  stats.mean = GetNumber(json, "mean");
  stats.std = GetNumber(json, "std");
  stats.l2 = GetNumber(json, "l2");
  stats.zeros = GetCount(json, "zeros");
  stats.nan = GetCount(json, "nan");
  stats.pos_inf = GetCount(json, "pos_inf");
  stats.neg_inf = GetCount(json, "neg_inf");
  if (!Member(json, "first_bad").is_null()) {
    stats.first_bad = GetInteger<uint64_t>(json, "first_bad");
  }
  if (Member(json, "histogram").is_null()) return stats;
  const Json& histogram = ArrayOf(json, "histogram");
  if (histogram.size() != stats.histogram.size()) {
    throw Damage("'histogram' has the wrong length");
  }
  for (size_t i = 0; i < histogram.size(); ++i) {
    stats.histogram[i] = ToInteger<uint64_t>(histogram[i], "histogram");
    stats.finite += stats.histogram[i];
  }
  return stats;
}

std::vector<int64_t> GetShape(const Json& json) {
  std::vector<int64_t> shape;
  if (Member(json, "shape").is_null()) return shape;
  for (const Json& dim : ArrayOf(json, "shape")) {
    shape.push_back(ToInteger<int64_t>(dim, "shape"));
  }
  return shape;
}

// A name in the folder and no way out of it.
std::string GetFile(const Json& json) {
  std::string file = GetOptionalText(json, "file");
  if (file.find('/') != std::string::npos || file == "..") {
    throw Damage(fmt::format("{} lies elsewhere", Quoted(file)));
  }
  return file;
}

DumpedValue GetValue(const Json& json) {
  DumpedValue value;
  value.index = GetInteger<int>(json, "index");
  value.name = GetText(json, "name");
  value.op_type = GetText(json, "op_type");
  value.domain = GetText(json, "domain");
  value.node = GetText(json, "node");
  value.scope = GetText(json, "scope");
  const Json& original = Member(json, "original_output");
  if (!original.is_boolean()) throw Damage("'original_output' is no bool");
  value.original_output = original.get<bool>();
  // Dumps of the first version don't have them.
  if (json.contains("inputs")) value.inputs = GetTexts(json, "inputs");
  value.type = GetText(json, "type");
  value.shape = GetShape(json);
  value.file = GetFile(json);
  value.member = GetOptionalText(json, "member");
  value.stats = GetStatistics(Member(json, "stats"));
  return value;
}

Manifest GetManifest(const Json& json) {
  Manifest manifest;
  const int schema = GetInteger<int>(json, "schema");
  if (schema != kManifestSchema) {
    throw Damage(fmt::format("schema {} is not known", schema));
  }
  const Json& complete = Member(json, "complete");
  if (complete != true) throw Damage("it says that the dump isn't complete");
  const Json& model = Member(json, "model");
  manifest.model.path = GetText(model, "path");
  manifest.model.sha256 = GetText(model, "sha256");
  const Json& runtime = Member(json, "runtime");
  manifest.runtime.version = GetText(runtime, "version");
  manifest.runtime.provider = GetText(runtime, "provider");
  manifest.runtime.opt_level = GetText(runtime, "opt_level");
  manifest.runtime.threads = GetInteger<int>(runtime, "threads");
  for (const Json& input : ArrayOf(json, "inputs")) {
    manifest.inputs.push_back({GetText(input, "name"), GetText(input, "source"),
                               GetText(input, "type"), GetShape(input),
                               GetFile(input), GetText(input, "sha256")});
  }
  const Json& unchanged = Member(json, "original_outputs_unchanged");
  if (unchanged.is_boolean()) {
    manifest.original_outputs_unchanged = unchanged.get<bool>();
  }
  manifest.changed_outputs = GetTexts(json, "changed_outputs");
  manifest.notes = GetTexts(json, "notes");
  for (const Json& value : ArrayOf(json, "values")) {
    manifest.values.push_back(GetValue(value));
  }
  return manifest;
}

}  // namespace

Manifest ParseManifest(std::string_view text, const std::string& path) {
  std::string why;
  try {
    return GetManifest(ParseJson(text));
  } catch (const Damage& damage) {
    why = damage.what();
  } catch (const Json::exception&) {
    why = "it isn't JSON";
  }
  throw Error(ExitCode::kInput, path, {"the manifest is damaged", why, ""});
}

}  // namespace onnx_expose
