#include "cli/main.h"

#include <fmt/format.h>
#include <google/protobuf/stubs/logging.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <new>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/help.h"
#include "cli/invocation.h"
#include "cli/options.h"
#include "cli/signals.h"
#include "cli/version.h"
#include "onnx_expose/error.h"

namespace onnx_expose::cli {
namespace {

ExitCode Run(const std::vector<std::string>& arguments, Console& console) {
  const Invocation invocation = FindCommand(arguments);
  CLI::App app("", invocation.command->name);
  CommonFlags flags;
  const Action action = invocation.command->define(app);
  AddCommonFlags(app, flags);
  Parse(app, invocation.arguments);
  if (flags.help || flags.version) {
    console.Write(flags.version      ? VersionText()
                  : invocation.named ? CommandHelp(*invocation.command)
                                     : GeneralHelp());
    console.Flush();
    return ExitCode::kDone;
  }
  console.set_verbosity(flags.quiet     ? Console::Verbosity::kQuiet
                        : flags.verbose ? Console::Verbosity::kVerbose
                                        : Console::Verbosity::kNormal);
  const ExitCode code = action(console);
  console.Flush();
  return code;
}

ExitCode RunOrFail(const std::vector<std::string>& arguments,
                   Console& console) {
  const auto fail = [&](const Error& error) {
    console.Fail(error);
    return error.code();
  };
  try {
    return Run(arguments, console);
  } catch (const Error& error) {
    return fail(error);
  } catch (const std::bad_alloc&) {
    return fail({ExitCode::kInput, "", {"not enough memory", "", ""}});
  } catch (const std::exception& exception) {
    return fail({ExitCode::kBug,
                 "",
                 {"this is a bug in onnx-expose",
                  std::string("it says: ") + exception.what(), ""}});
  } catch (...) {
    return fail({ExitCode::kBug, "", {"this is a bug in onnx-expose", "", ""}});
  }
}

}  // namespace

int Main(int argc, char** argv) {
  KeepStandardStreams();
  InstallSignalHandlers();
  // protobuf prints what it dislikes; what matters arrives as an error.
  google::protobuf::SetLogHandler(nullptr);
  Console console(stdout, stderr, WantsColour(STDERR_FILENO));
  if (argc < 2) {
    console.Fail({ExitCode::kUsage, "", {"no model given", "", ""}});
    fmt::print(stderr, "\n{}\nMore: onnx-expose --help\n", UsageText());
    return static_cast<int>(ExitCode::kUsage);
  }
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return static_cast<int>(RunOrFail(arguments, console));
}

}  // namespace onnx_expose::cli
