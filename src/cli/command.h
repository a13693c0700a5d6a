#ifndef ONNX_EXPOSE_CLI_COMMAND_H_
#define ONNX_EXPOSE_CLI_COMMAND_H_

#include <functional>
#include <string>
#include <vector>

#include "cli/console.h"
#include "onnx_expose/error.h"

namespace CLI {
class App;
}

namespace onnx_expose::cli {

// What a command does once its options are parsed.
using Action = std::function<ExitCode(Console& console)>;

struct Command {
  std::string name;
  std::string synopsis;  // "MODEL [SELECTION] -o OUT"
  std::string summary;   // one line, lower case
  // Declares the command's options in `app`; the action reads them.
  Action (*define)(CLI::App& app);
};

// All commands, in the order of the help. The first one is meant when the
// command line names none.
const std::vector<Command>& Commands();

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_COMMAND_H_
