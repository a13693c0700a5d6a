#include "rewriter/provenance.h"

#include <utility>

#include "onnx_expose/error.h"
#include "support/base64.h"
#include "support/json.h"

namespace onnx_expose {
namespace {

constexpr const char* kKey = "onnx_expose";
constexpr int kSchema = 1;

// Lists of [position, base64], which is shorter than an object.
Json ToJson(const std::map<int, std::string>& entries) {
  Json list = Json::array();
  for (const auto& [position, bytes] : entries) {
    list.push_back({position, Base64(bytes)});
  }
  return list;
}

std::string Decoded(const Json& text) {
  auto bytes = FromBase64(text.get<std::string>());
  if (!bytes) throw std::invalid_argument("base64");
  return std::move(*bytes);
}

std::map<int, std::string> FromJson(const Json& record, const char* key) {
  std::map<int, std::string> entries;
  if (!record.contains(key)) return entries;
  for (const Json& entry : record.at(key)) {
    entries[entry.at(0).get<int>()] = Decoded(entry.at(1));
  }
  return entries;
}

Json NodesToJson(const Provenance& record) {
  Json list = Json::array();
  for (const auto& [path, node] : record.nodes_changed) {
    Json entry = {{"path", path}};
    for (const auto& name : node.inputs) entry["inputs"] += Base64(name);
    for (const auto& name : node.outputs) entry["outputs"] += Base64(name);
    for (const auto& [name, ints] : node.int_lists) {
      entry["int_lists"][name] = ints;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

void NodesFromJson(const Json& list, Provenance& record) {
  for (const Json& entry : list) {
    auto& node =
        record.nodes_changed[entry.at("path").get<Provenance::NodePath>()];
    const Json inputs = entry.value("inputs", Json::array());
    for (const Json& name : inputs) node.inputs.push_back(Decoded(name));
    const Json outputs = entry.value("outputs", Json::array());
    for (const Json& name : outputs) node.outputs.push_back(Decoded(name));
    const Json lists = entry.value("int_lists", Json::object());
    for (const auto& [name, ints] : lists.items()) {
      node.int_lists[name] = ints.get<std::vector<int64_t>>();
    }
  }
}

Provenance Parse(const std::string& text) {
  const Json record = ParseJson(text);
  if (record.at("schema").get<int>() != kSchema) {
    throw std::invalid_argument("schema");
  }
  Provenance result;
  for (const Json& name : record.at("outputs")) {
    result.outputs.push_back(Decoded(name));
  }
  result.nodes = record.at("nodes").get<int>();
  result.value_info = record.at("value_info").get<int>();
  if (result.nodes < 0 || result.value_info < 0) {
    throw std::invalid_argument("count");
  }
  result.inputs_changed = FromJson(record, "inputs_changed");
  result.outputs_changed = FromJson(record, "outputs_changed");
  result.value_info_changed = FromJson(record, "value_info_changed");
  result.value_info_removed = FromJson(record, "value_info_removed");
  if (record.contains("node_docs")) {
    for (const Json& entry : record.at("node_docs")) {
      auto& doc = result.node_docs[entry.at(0).get<int>()];
      if (!entry.at(1).is_null()) doc = Decoded(entry.at(1));
    }
  }
  NodesFromJson(record.value("nodes_changed", Json::array()), result);
  const Json functions = record.value("function_outputs", Json::array());
  for (const Json& entry : functions) {
    result.function_outputs[entry.at(0).get<int>()] = entry.at(1).get<int>();
  }
  const Json inlined = record.value("inlined", Json::array());
  for (const Json& name : inlined) result.inlined.insert(Decoded(name));
  return result;
}

}  // namespace

std::optional<Provenance> ReadProvenance(const onnx::ModelProto& model) {
  for (const auto& entry : model.metadata_props()) {
    if (entry.key() != kKey) continue;
    try {
      return Parse(entry.value());
    } catch (const std::exception&) {
      throw Error(ExitCode::kRefused, "",
                  {"the metadata entry 'onnx_expose' is not one this version "
                   "wrote",
                   "it should record what exposing changed", ""});
    }
  }
  return std::nullopt;
}

Provenance StartProvenance(const onnx::ModelProto& model) {
  if (auto record = ReadProvenance(model)) return std::move(*record);
  Provenance record;
  for (const auto& output : model.graph().output()) {
    record.outputs.push_back(output.name());
  }
  record.nodes = model.graph().node_size();
  record.value_info = model.graph().value_info_size();
  return record;
}

void WriteProvenance(const Provenance& record, onnx::ModelProto& model) {
  Json text = {{"schema", kSchema},
               {"tool", "onnx-expose " ONNX_EXPOSE_VERSION},
               {"outputs", Json::array()},
               {"nodes", record.nodes},
               {"value_info", record.value_info}};
  for (const auto& name : record.outputs) text["outputs"] += Base64(name);
  const auto add = [&](const char* key,
                       const std::map<int, std::string>& entries) {
    if (!entries.empty()) text[key] = ToJson(entries);
  };
  add("inputs_changed", record.inputs_changed);
  add("outputs_changed", record.outputs_changed);
  add("value_info_changed", record.value_info_changed);
  add("value_info_removed", record.value_info_removed);
  if (!record.node_docs.empty()) {
    Json list = Json::array();
    for (const auto& [node, doc] : record.node_docs) {
      list.push_back({node, doc ? Json(Base64(*doc)) : Json(nullptr)});
    }
    text["node_docs"] = std::move(list);
  }
  if (!record.nodes_changed.empty()) {
    text["nodes_changed"] = NodesToJson(record);
  }
  for (const auto& [function, outputs] : record.function_outputs) {
    text["function_outputs"] += Json::array({function, outputs});
  }
  for (const auto& name : record.inlined) text["inlined"] += Base64(name);
  for (auto& entry : *model.mutable_metadata_props()) {
    if (entry.key() != kKey) continue;
    entry.set_value(JsonText(text, -1));
    return;
  }
  auto* entry = model.add_metadata_props();
  entry->set_key(kKey);
  entry->set_value(JsonText(text, -1));
}

void RemoveProvenance(onnx::ModelProto& model) {
  auto& list = *model.mutable_metadata_props();
  for (int i = list.size() - 1; i >= 0; --i) {
    if (list.Get(i).key() == kKey) list.DeleteSubrange(i, 1);
  }
}

}  // namespace onnx_expose
