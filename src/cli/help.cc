#include "cli/help.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/invocation.h"
#include "cli/options.h"

namespace onnx_expose::cli {
namespace {

constexpr const char* kPatterns =
    "\nPATTERN is an RE2 regular expression, searched anywhere in the name as "
    "grep\ndoes; '=NAME' is that exact name. One kind of selection flag given "
    "several\ntimes widens, different kinds narrow. '-' is standard input or "
    "output.\n";

constexpr const char* kExitCodes =
    "\nExit codes: 0 done, 1 something differs (compare) or a bad value was "
    "found\n(run --stop-at), 2 usage, 3 input unreadable or invalid, 4 "
    "selection "
    "or rewrite\nrefused, 5 output refused or not written, 6 ONNX Runtime "
    "missing "
    "or run failed,\n70 a bug, 130 interrupted.\n";

std::string OptionsOf(const Command& command) {
  CLI::App app;
  CommonFlags flags;
  command.define(app);
  AddCommonFlags(app, flags);
  return OptionsText(app);
}

bool TakesSelection(const Command& command) {
  return command.synopsis.find("SELECTION") != std::string::npos;
}

}  // namespace

std::string UsageText() {
  std::string text;
  for (const Command& command : Commands()) {
    text += fmt::format("{} onnx-expose {} {}\n",
                        text.empty() ? "Usage:" : "      ",
                        text.empty() ? "[" + command.name + "]" : command.name,
                        command.synopsis);
  }
  return text;
}

std::string GeneralHelp() {
  std::string text = UsageText();
  text +=
      "\nShows what happens inside an ONNX model: the debug model is the "
      "original plus\nthe asked-for values as graph outputs, and nothing else "
      "changes.\n\nCommands:\n";
  for (const Command& command : Commands()) {
    text += fmt::format("  {:<8} {}\n", command.name, command.summary);
  }
  const Command& first = Commands().front();
  text += fmt::format(
      "\nWithout a command name, {} is meant; these are its options. For the "
      "others:\n'onnx-expose COMMAND --help'.\n",
      first.name);
  return text + OptionsOf(first) + kPatterns + kExitCodes;
}

std::string CommandHelp(const Command& command) {
  return fmt::format("Usage: onnx-expose {} {}\n\n{}\n", command.name,
                     command.synopsis, command.summary) +
         OptionsOf(command) + (TakesSelection(command) ? kPatterns : "");
}

}  // namespace onnx_expose::cli
