#ifndef ONNX_EXPOSE_TENSOR_UNICODE_H_
#define ONNX_EXPOSE_TENSOR_UNICODE_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace onnx_expose {

// How many code points valid UTF-8 has.
size_t CodePoints(std::string_view text);

// The code points of valid UTF-8.
std::u32string FromUtf8(std::string_view text);

// Appends a code point; false if it is none (a surrogate, over U+10FFFF).
bool AppendUtf8(char32_t code, std::string& text);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_UNICODE_H_
