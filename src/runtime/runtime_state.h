#ifndef ONNX_EXPOSE_RUNTIME_RUNTIME_STATE_H_
#define ONNX_EXPOSE_RUNTIME_RUNTIME_STATE_H_

#include <memory>
#include <optional>
#include <string>

#include "onnx_expose/runtime.h"
#include "runtime/log.h"
#include "runtime/memory_cap.h"
#include "runtime/ort.h"
#include "runtime/sentence.h"

namespace onnx_expose {

struct Runtime::State {
  std::string path;
  std::string version;
  int minor = 0;  // 32 of 1.32.0
  RuntimeLog log;
  std::unique_ptr<MemoryCap> cap;  // once a session has a limit
  // ONNX Runtime has one environment for a process.
  std::optional<Ort::Env> env;
};

// Calls `function`; what ONNX Runtime throws becomes an Error(kRuntime) about
// `file`: "WHAT: its sentence".
template <typename Function>
auto WithRuntimeErrors(const std::string& file, const char* what,
                       Function function) {
  try {
    return function();
  } catch (const Ort::Exception& error) {
    throw Error(
        ExitCode::kRuntime, file,
        {std::string(what) + ": " + RuntimeSentence(error.what()), "", ""});
  }
}

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_RUNTIME_STATE_H_
