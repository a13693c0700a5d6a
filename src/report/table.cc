#include "report/table.h"

#include <algorithm>
#include <string_view>

namespace onnx_expose {
namespace {

constexpr size_t kWidest = 48;

// Letters of UTF-8 text.
size_t Width(std::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

void AppendRow(const std::vector<std::string>& cells,
               const std::vector<size_t>& widths,
               const std::vector<size_t>& right, std::string& text) {
  size_t missing = 0;  // spaces up to the next cell
  for (size_t i = 0; i < cells.size(); ++i) {
    const size_t width = Width(cells[i]);
    const size_t padding = widths[i] - std::min(width, widths[i]);
    const bool is_right =
        std::find(right.begin(), right.end(), i) != right.end();
    if (!cells[i].empty()) {
      text.append(missing + (is_right ? padding : 0), ' ');
      text += cells[i];
      missing = is_right ? 0 : padding;
    } else {
      missing += padding;
    }
    missing += 2;
  }
  text += '\n';
}

}  // namespace

std::string TableText(const Table& table) {
  std::vector<size_t> widths;
  for (const std::string& title : table.header) widths.push_back(Width(title));
  for (const auto& row : table.rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], std::min(Width(row[i]), kWidest));
    }
  }
  std::string text;
  AppendRow(table.header, widths, table.right, text);
  for (const auto& row : table.rows) {
    AppendRow(row, widths, table.right, text);
  }
  return text;
}

}  // namespace onnx_expose
