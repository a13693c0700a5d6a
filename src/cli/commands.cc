#include "cli/command.h"

// One line a command: NAME stands for the function `Command NAME##Command()`
// in src/cli/<name>_command.cc.
#define ONNX_EXPOSE_COMMANDS(COMMAND) \
  COMMAND(Expose)                     \
  COMMAND(List)                       \
  COMMAND(Check)                      \
  COMMAND(Strip)                      \
  COMMAND(Run)                        \
  COMMAND(Compare)                    \
  COMMAND(Channels)                   \
  COMMAND(Report)                     \
  COMMAND(Serve)                      \
  COMMAND(Bench)

namespace onnx_expose::cli {

#define DECLARE(NAME) Command NAME##Command();
ONNX_EXPOSE_COMMANDS(DECLARE)
#undef DECLARE

const std::vector<Command>& Commands() {
#define CALL(NAME) NAME##Command(),
  static const std::vector<Command> commands = {ONNX_EXPOSE_COMMANDS(CALL)};
#undef CALL
  return commands;
}

}  // namespace onnx_expose::cli
