#include "cli/invocation.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/options.h"
#include "onnx_expose/error.h"
#include "support/text.h"

namespace onnx_expose::cli {
namespace {

bool IsCommonFlag(const std::string& argument) {
  return argument == "-q" || argument == "--quiet" || argument == "-v" ||
         argument == "--verbose";
}

const Command* Named(const std::string& word) {
  for (const Command& command : Commands()) {
    if (command.name == word) return &command;
  }
  return nullptr;
}

void CheckNoTypo(const std::string& word) {
  const bool plain = word.find_first_of("-./") == std::string::npos;
  if (!plain || ::access(word.c_str(), F_OK) == 0) return;
  std::vector<std::string> names;
  for (const Command& command : Commands()) names.push_back(command.name);
  const std::string nearest = Nearest(word, names);
  if (nearest.empty()) return;
  throw Error(ExitCode::kUsage, "",
              {fmt::format("{} is neither a command nor a file", Quoted(word)),
               "", fmt::format("did you mean '{}'?", nearest)});
}

}  // namespace

void AddCommonFlags(CLI::App& app, CommonFlags& flags) {
  app.set_help_flag();
  Options common(app, "Common");
  common.Flag("-q,--quiet", flags.quiet, "say nothing but errors");
  common.Flag("-v,--verbose", flags.verbose, "say each stage and its time");
  common.Flag("-h,--help", flags.help, "this text");
  common.Flag("--version", flags.version, "the version");
}

Invocation FindCommand(std::vector<std::string> arguments) {
  Invocation result;
  result.command = &Commands().front();
  const auto word =
      std::find_if_not(arguments.begin(), arguments.end(), IsCommonFlag);
  if (word != arguments.end()) {
    if (const Command* command = Named(*word)) {
      result.command = command;
      result.named = true;
      arguments.erase(word);
    } else {
      CheckNoTypo(*word);
    }
  }
  result.arguments = std::move(arguments);
  return result;
}

}  // namespace onnx_expose::cli
