#ifndef ONNX_EXPOSE_CLI_HELP_H_
#define ONNX_EXPOSE_CLI_HELP_H_

#include <string>

#include "cli/command.h"

namespace onnx_expose::cli {

// The lines that say how to call each command.
std::string UsageText();

// `onnx-expose --help`: the commands and the options of the first one.
std::string GeneralHelp();

// `onnx-expose COMMAND --help`
std::string CommandHelp(const Command& command);

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_HELP_H_
