#ifndef ONNX_EXPOSE_RUNTIME_LOG_H_
#define ONNX_EXPOSE_RUNTIME_LOG_H_

#include <map>
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
  // What came since this was called last, in our words where we have some: once
  // for each value, and no more than 8 of a kind.
  Warnings Take();

 private:
  std::mutex mutex_;
  Warnings new_;
  std::set<std::string> seen_;  // kind and value, or the sentence
  struct Kind {
    size_t said = 0;
    size_t unsaid = 0;
  };
  std::map<std::string, Kind> kinds_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_LOG_H_
