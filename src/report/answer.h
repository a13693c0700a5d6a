#ifndef ONNX_EXPOSE_REPORT_ANSWER_H_
#define ONNX_EXPOSE_REPORT_ANSWER_H_

#include <string>

namespace onnx_expose {

// What a request over HTTP gets.
struct Answer {
  int status = 200;
  std::string type;
  std::string body;
};

inline Answer Refusal(int status, const std::string& why) {
  return {status, "text/plain; charset=utf-8", why + "\n"};
}

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_ANSWER_H_
