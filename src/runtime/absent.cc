// Compiled in place of everything that includes ONNX Runtime's headers, where
// those were not to be had (cmake/Dependencies.cmake).

#include "onnx_expose/error.h"
#include "onnx_expose/runtime.h"

namespace onnx_expose {

struct Runtime::State {
  std::string text;
};

struct Session::State {
  std::vector<InputInfo> inputs;
  std::vector<std::string> outputs;
};

Runtime::Runtime(const std::vector<std::string>&) {
  throw Error(ExitCode::kRuntime, "",
              {"this onnx-expose was built without ONNX Runtime",
               "its headers were not there and could not be fetched",
               "install libonnxruntime-dev, or name the headers' folder with "
               "-DONNXRUNTIME_INCLUDE_DIR=DIR, and build again"});
}

// There is no Runtime, so that nothing below is ever called.
Runtime::~Runtime() = default;
const std::string& Runtime::version() const { return state_->text; }
const std::string& Runtime::path() const { return state_->text; }
std::vector<std::string> Runtime::providers() const { return {}; }
bool Runtime::reads_weights_beside_memory() const { return false; }

Session::Session(const Runtime&, const ModelSource&, const SessionOptions&) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
const std::vector<InputInfo>& Session::inputs() const { return state_->inputs; }
const std::vector<std::string>& Session::outputs() const {
  return state_->outputs;
}
const std::vector<std::string>& Session::output_types() const {
  return state_->outputs;
}
std::vector<Data> Session::Run(std::span<const Feed>,
                               const std::vector<std::string>&) {
  return {};
}
std::string Session::EndProfiling() { return ""; }
Warnings Session::TakeWarnings() { return {}; }

}  // namespace onnx_expose
