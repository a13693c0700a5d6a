#ifndef ONNX_EXPOSE_CLI_INVOCATION_H_
#define ONNX_EXPOSE_CLI_INVOCATION_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/command.h"

namespace onnx_expose::cli {

// The flags that every command has; they may stand before its name as well.
struct CommonFlags {
  bool quiet = false;
  bool verbose = false;
  bool help = false;
  bool version = false;
};

void AddCommonFlags(CLI::App& app, CommonFlags& flags);

// The command that a command line means and what follows its name.
struct Invocation {
  const Command* command = nullptr;
  bool named = false;  // written out, or the first one for want of a name
  std::vector<std::string> arguments;
};

// Throws Error(kUsage) for what looks like a mistyped name of a command.
Invocation FindCommand(std::vector<std::string> arguments);

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_INVOCATION_H_
