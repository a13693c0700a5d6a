#include "report/value_rows.h"

#include <fmt/format.h>

#include <iterator>

#include "report/table.h"
#include "support/json.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

std::string OpText(const ValueRow& row) {
  return row.domain.empty() ? row.op_type : row.domain + "::" + row.op_type;
}

std::string MarksText(const ValueRow& row) {
  if (!row.is_output) return row.constant ? "constant" : "";
  return row.constant ? "output,constant" : "output";
}

std::vector<std::string> CellsOf(const ValueRow& row) {
  return {row.index ? fmt::format("{}", *row.index) : "",
          Printable(OpText(row)),
          Printable(row.node),
          Printable(row.value),
          Printable(row.type),
          row.bytes ? fmt::format("{}", *row.bytes) : "",
          MarksText(row),
          Printable(row.scope),
          Printable(Joined(row.exposed_as, " "))};
}

}  // namespace

std::string ValueTable(const std::vector<ValueRow>& rows) {
  constexpr size_t kBytes = 5;
  Table table{{"INDEX", "OP", "NODE", "VALUE", "TYPE", "BYTES", "MARK", "SCOPE",
               "EXPOSED AS"},
              {0, kBytes},
              {}};
  bool inner = false;
  for (const ValueRow& row : rows) {
    table.rows.push_back(CellsOf(row));
    if (row.bytes) table.rows.back()[kBytes] = ByteText(*row.bytes);
    inner |= !row.exposed_as.empty();
  }
  if (!inner) table.header.back().clear();
  return TableText(table);
}

std::string ValueRecords(const std::vector<ValueRow>& rows) {
  std::string text;
  for (const ValueRow& row : rows) {
    text += Joined(CellsOf(row), "\t") + "\n";
  }
  return text;
}

Json ValueJson(const ValueRow& row) {
  Json json;
  json["kind"] = row.index ? "node_output" : "input";
  json["value"] = row.value;
  json["scope"] = row.scope;
  json["op_type"] = row.op_type;
  json["domain"] = row.domain;
  json["node"] = row.node;
  if (row.index) {
    json["index"] = *row.index;
    json["output"] = row.output;
  }
  json["type"] = row.type;
  json["bytes"] = nullptr;
  if (row.bytes) json["bytes"] = *row.bytes;
  json["is_output"] = row.is_output;
  json["constant"] = row.constant;
  if (!row.exposed_as.empty()) json["exposed_as"] = row.exposed_as;
  return json;
}

}  // namespace onnx_expose
