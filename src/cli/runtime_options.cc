#include "cli/runtime_options.h"

#include <fmt/format.h>

#include "cli/flag_values.h"
#include "cli/options.h"
#include "onnx_expose/error.h"

namespace onnx_expose::cli {

SessionOptions RuntimeFlags::Read() const {
  SessionOptions options;
  options.opt_level = static_cast<OptLevel>(ParseChoice(
      "--opt-level", opt_level, {"disable", "basic", "extended", "all"}));
  options.provider = provider;
  options.custom_op_libraries = custom_op_libraries;
  if (threads.has_value()) {
    const int64_t number = ParseNumber("--threads", *threads);
    constexpr int64_t kMost = 1024;
    if (number < 0 || number > kMost) {
      throw Error(ExitCode::kUsage, "",
                  {fmt::format("--threads can't be {}", number), "",
                   fmt::format("0 is one for each core, {} the most", kMost)});
    }
    options.threads = static_cast<int>(number);
  }
  return options;
}

std::vector<std::string> RuntimeFlags::Libraries() const {
  if (!library.empty()) return {library};
  return RuntimeCandidates();
}

ProbeOptions ProbeFlags::Read() const {
  if (!probe) {
    if (library.empty() && custom_op_libraries.empty()) return {};
    throw Error(ExitCode::kUsage, "",
                {"a library is needed for --probe only", "", "add --probe"});
  }
  return {true, library.empty() ? RuntimeCandidates() : std::vector{library},
          custom_op_libraries};
}

void AddProbeOptions(Options& types, ProbeFlags& flags) {
  types.Flag("--probe", flags.probe,
             "ask ONNX Runtime for types that inference can't find");
  types.Text("--ort-lib", flags.library, "FILE",
             "--probe: ONNX Runtime's library, if it isn't where it usually "
             "is");
  types.Texts("--custom-op-lib", flags.custom_op_libraries, "FILE",
              "--probe: a library of custom operators to register");
}

void AddRuntimeOptions(CLI::App& app, const std::string& threads,
                       const std::string& opt_level, RuntimeFlags& flags) {
  Options runtime(app, "ONNX Runtime");
  runtime.Text("--ort-lib", flags.library, "FILE",
               "the library to load; otherwise $ONNX_EXPOSE_ORT, or where it "
               "usually is");
  runtime.Text("--threads", flags.threads, "N",
               "threads of one operator, 0: one for each core; " + threads);
  runtime.Text(
      "--opt-level", flags.opt_level, "LEVEL",
      "optimisation: disable (results don't change), basic, extended or "
      "all; " +
          opt_level);
  runtime.Text("--provider", flags.provider, "NAME",
               "execution provider: cpu (the default), cuda, ...");
  runtime.Texts("--custom-op-lib", flags.custom_op_libraries, "FILE",
                "a library of custom operators to register");
}

}  // namespace onnx_expose::cli
