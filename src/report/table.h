#ifndef ONNX_EXPOSE_REPORT_TABLE_H_
#define ONNX_EXPOSE_REPORT_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

namespace onnx_expose {

// A table of text for people: a header and rows of as many cells.
struct Table {
  std::vector<std::string> header;
  std::vector<size_t> right;  // columns of numbers, aligned to the right
  std::vector<std::vector<std::string>> rows;
};

// Aligned columns, two spaces apart, no spaces at the end of a line. A cell
// wider than 48 letters pushes its row to the right, not all rows.
std::string TableText(const Table& table);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_TABLE_H_
