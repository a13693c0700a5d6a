#ifndef ONNX_EXPOSE_SUPPORT_JSON_H_
#define ONNX_EXPOSE_SUPPORT_JSON_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace onnx_expose {

// Members in the order in which they were added.
using Json = nlohmann::ordered_json;

// Parser and printer are compiled once, in json.cc: each takes seconds.

// Throws Json::exception where the text isn't JSON.
Json ParseJson(std::string_view text);

// The text of a document, on one line if `indent` is -1. Names are bytes: what
// isn't UTF-8 becomes U+FFFD, so that the document always is.
std::string JsonText(const Json& json, int indent);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SUPPORT_JSON_H_
