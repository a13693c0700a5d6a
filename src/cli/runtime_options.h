#ifndef ONNX_EXPOSE_CLI_RUNTIME_OPTIONS_H_
#define ONNX_EXPOSE_CLI_RUNTIME_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "onnx_expose/pipeline.h"
#include "onnx_expose/runtime.h"

namespace onnx_expose::cli {

// How ONNX Runtime is found and used, on the command line.
struct RuntimeFlags {
  std::string library;
  std::optional<std::string> threads;
  std::string opt_level = "disable";
  std::string provider = "cpu";
  std::vector<std::string> custom_op_libraries;

  SessionOptions Read() const;
  // --ort-lib, or else RuntimeCandidates().
  std::vector<std::string> Libraries() const;
};

// The flags that every command with ONNX Runtime has. `threads` and
// `opt_level`: what the help says of their defaults.
void AddRuntimeOptions(CLI::App& app, const std::string& threads,
                       const std::string& opt_level, RuntimeFlags& flags);

// --probe on the command line.
struct ProbeFlags {
  bool probe = false;
  std::string library;
  std::vector<std::string> custom_op_libraries;

  ProbeOptions Read() const;
};

void AddProbeOptions(Options& types, ProbeFlags& flags);

// Where the library may be: $ONNX_EXPOSE_ORT alone if it is set; otherwise the
// system's, that of scripts/onnxruntime.sh, those of Python environments.
std::vector<std::string> RuntimeCandidates();

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_RUNTIME_OPTIONS_H_
