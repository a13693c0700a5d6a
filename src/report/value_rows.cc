#include "report/value_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "support/text.h"

namespace onnx_expose {
namespace {

constexpr size_t kColumns = 9;
using Cells = std::array<std::string, kColumns>;

// A cell that is longer pushes its row to the right, not all rows.
constexpr size_t kWidest = 48;

std::string OpText(const ValueRow& row) {
  return row.domain.empty() ? row.op_type : row.domain + "::" + row.op_type;
}

std::string MarksText(const ValueRow& row) {
  if (!row.is_output) return row.constant ? "constant" : "";
  return row.constant ? "output,constant" : "output";
}

Cells CellsOf(const ValueRow& row) {
  return {row.index ? fmt::format("{}", *row.index) : "",
          Printable(OpText(row)),
          Printable(row.node),
          Printable(row.value),
          Printable(row.type),
          row.bytes ? fmt::format("{}", *row.bytes) : "",
          MarksText(row),
          Printable(row.scope),
          Printable(fmt::format("{}", fmt::join(row.exposed_as, " ")))};
}

// Letters of UTF-8 text.
size_t Width(std::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

void AppendRow(const Cells& cells, const std::array<size_t, kColumns>& widths,
               std::string& text) {
  size_t missing = 0;  // spaces up to the next cell
  for (size_t i = 0; i < kColumns; ++i) {
    const size_t width = Width(cells[i]);
    const size_t padding = widths[i] - std::min(width, widths[i]);
    const bool right = i == 0 || i == 5;
    if (!cells[i].empty()) {
      text.append(missing + (right ? padding : 0), ' ');
      text += cells[i];
      missing = right ? 0 : padding;
    } else {
      missing += padding;
    }
    missing += 2;
  }
  text += '\n';
}

}  // namespace

std::string ValueTable(const std::vector<ValueRow>& rows) {
  Cells header = {"INDEX", "OP",   "NODE",  "VALUE",     "TYPE",
                  "BYTES", "MARK", "SCOPE", "EXPOSED AS"};
  std::array<size_t, kColumns> widths;
  std::transform(header.begin(), header.end(), widths.begin(), Width);
  std::vector<Cells> table;
  table.reserve(rows.size());
  for (const ValueRow& row : rows) {
    table.push_back(CellsOf(row));
    if (row.bytes) table.back()[5] = ByteText(*row.bytes);
    for (size_t i = 0; i < kColumns; ++i) {
      const size_t width = std::min(Width(table.back()[i]), kWidest);
      widths[i] = std::max(widths[i], width);
    }
  }
  std::string text;
  const bool inner = std::any_of(rows.begin(), rows.end(), [](const auto& row) {
    return !row.exposed_as.empty();
  });
  if (!inner) header.back().clear();
  AppendRow(header, widths, text);
  for (const Cells& cells : table) AppendRow(cells, widths, text);
  return text;
}

std::string ValueRecords(const std::vector<ValueRow>& rows) {
  std::string text;
  for (const ValueRow& row : rows) {
    fmt::format_to(std::back_inserter(text), "{}\n",
                   fmt::join(CellsOf(row), "\t"));
  }
  return text;
}

nlohmann::ordered_json ValueJson(const ValueRow& row) {
  nlohmann::ordered_json json;
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
