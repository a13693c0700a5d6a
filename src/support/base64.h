#ifndef ONNX_EXPOSE_SUPPORT_BASE64_H_
#define ONNX_EXPOSE_SUPPORT_BASE64_H_

#include <optional>
#include <string>
#include <string_view>

namespace onnx_expose {

// RFC 4648, with padding.
std::string Base64(std::string_view bytes);

// Nothing if the text isn't what Base64 writes.
std::optional<std::string> FromBase64(std::string_view text);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SUPPORT_BASE64_H_
