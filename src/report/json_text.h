#ifndef ONNX_EXPOSE_REPORT_JSON_TEXT_H_
#define ONNX_EXPOSE_REPORT_JSON_TEXT_H_

#include <nlohmann/json.hpp>
#include <string>

namespace onnx_expose {

// The text of a JSON document, on one line if `indent` is -1. Names are bytes:
// what isn't UTF-8 becomes U+FFFD, so that the document always is.
inline std::string JsonText(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false,
                   nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_JSON_TEXT_H_
