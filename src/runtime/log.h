#ifndef ONNX_EXPOSE_RUNTIME_LOG_H_
#define ONNX_EXPOSE_RUNTIME_LOG_H_

#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "onnx_expose/error.h"

namespace onnx_expose {

// What ONNX Runtime logs, kept until somebody asks. Any thread may add.
class RuntimeLog {
 public:
  void Add(std::string_view text);
  // What came since this was called last; what was said before isn't repeated.
  Warnings Take();

 private:
  std::mutex mutex_;
  Warnings new_;
  std::set<std::string> seen_;
};

// ONNX Runtime's sentence without its prefixes ("[ONNXRuntimeError] : 1 : FAIL
// : ", "session.cc:12 onnxruntime::Function ", trailing newlines), on one line.
std::string RuntimeSentence(std::string_view text);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_LOG_H_
