#ifndef ONNX_EXPOSE_RUNTIME_SENTENCE_H_
#define ONNX_EXPOSE_RUNTIME_SENTENCE_H_

#include <string>
#include <string_view>

namespace onnx_expose {

// What ONNX Runtime has to say, on one line, without where in its sources it
// says so: "[ONNXRuntimeError] : 1 : FAIL : Non-zero status code returned while
// running Neg node. Name:'n3' Status Message: /a/b.cc:87 virtual OrtValue*
// onnxruntime::F(int) Shape mismatch." is "Neg 'n3': Shape mismatch".
std::string RuntimeSentence(std::string_view text);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_SENTENCE_H_
