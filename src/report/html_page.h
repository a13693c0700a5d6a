#ifndef ONNX_EXPOSE_REPORT_HTML_PAGE_H_
#define ONNX_EXPOSE_REPORT_HTML_PAGE_H_

#include <string>

namespace onnx_expose {

// A JSON text that may stand in a script element: without <, >, & and the two
// line separators that JavaScript once took for ends of lines.
std::string ForScriptElement(const std::string& json);

// The page with `data` (JSON as the scripts of src/report/page read it).
// `live`: it fetches elements from the server it came from.
std::string HtmlPage(const std::string& data, bool live);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_HTML_PAGE_H_
