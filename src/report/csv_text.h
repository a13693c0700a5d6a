#ifndef ONNX_EXPOSE_REPORT_CSV_TEXT_H_
#define ONNX_EXPOSE_REPORT_CSV_TEXT_H_

#include <string>

namespace onnx_expose {

// A cell of a CSV file, in quotes where RFC 4180 wants them.
inline std::string CsvCell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_CSV_TEXT_H_
