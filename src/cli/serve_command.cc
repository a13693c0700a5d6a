#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>

#include "cli/command.h"
#include "cli/flag_values.h"
#include "cli/options.h"
#include "onnx_expose/serve.h"

namespace onnx_expose::cli {
namespace {

struct ServeFlags {
  std::string dump;
  std::string reference;
  std::string port = "8642";
  std::string host = "127.0.0.1";
};

void AddOptions(CLI::App& app, ServeFlags& flags) {
  Options dumps(app, "");
  dumps.Positional("DIR", flags.dump, "");
  dumps.Positional("REFERENCE", flags.reference, "");
  Options address(app, "Address");
  address.Text("--port", flags.port, "PORT",
               "8642 unless given; 0 takes one that is free. The address is "
               "printed on standard output");
  address.Text("--host", flags.host, "ADDRESS",
               "127.0.0.1 unless given; of any other the page can be reached "
               "from other machines, with a token in the printed address");
}

ServeOptions ReadOptions(const ServeFlags& flags) {
  if (flags.dump.empty()) {
    throw Error(ExitCode::kUsage, "",
                {"no dump given", "", "onnx-expose serve DIR"});
  }
  ServeOptions options;
  options.folders.push_back(flags.dump);
  if (!flags.reference.empty()) options.folders.push_back(flags.reference);
  constexpr int64_t kLastPort = 65535;
  const int64_t port = ParseNumber("--port", flags.port);
  if (port < 0 || port > kLastPort) {
    throw Error(ExitCode::kUsage, "",
                {"--port takes a number from 0 to 65535", "", ""});
  }
  options.port = static_cast<int>(port);
  options.host = flags.host;
  return options;
}

ExitCode Run(const ServeFlags& flags, Console& console) {
  ServeOptions options = ReadOptions(flags);
  if (options.host != "127.0.0.1" && options.host != "localhost") {
    options.token = RandomToken();
    console.Warn("", {fmt::format("the dump can be read by whoever reaches {} "
                                  "and knows the token",
                                  options.host),
                      "nothing is encrypted on the way", ""});
  }
  console.Stage("read");
  ReportServer server(std::move(options));
  console.Stage("");
  console.Write(server.url() + "\n");
  console.Flush();
  console.Say("serving until Ctrl-C");
  server.Run();
  return ExitCode::kDone;
}

}  // namespace

Command ServeCommand() {
  return {"serve", "DIR [REFERENCE]",
          "the same page over HTTP, values read on demand",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<ServeFlags>();
            AddOptions(app, *flags);
            return [flags](Console& c) { return Run(*flags, c); };
          }};
}

}  // namespace onnx_expose::cli
