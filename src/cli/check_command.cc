#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options.h"
#include "onnx_expose/check.h"
#include "onnx_expose/loader.h"
#include "support/json.h"
#include "support/text.h"

namespace onnx_expose::cli {
namespace {

struct CheckFlags {
  std::string model;
  bool json = false;
};

const char* LevelText(const Finding& finding) {
  return finding.level == Finding::Level::kError ? "error" : "warning";
}

std::string FindingLine(const Finding& finding) {
  return fmt::format(
      "{}: {}: {}{}\n", LevelText(finding), finding.place, finding.what,
      finding.note.empty() ? "" : fmt::format(" ({})", finding.note));
}

std::string FindingsJson(const std::string& model,
                         const std::vector<Finding>& findings, size_t errors) {
  Json json = {{"schema", 1},
               {"model", model},
               {"errors", errors},
               {"warnings", findings.size() - errors}};
  json["findings"] = Json::array();
  for (const Finding& finding : findings) {
    json["findings"].push_back({{"level", LevelText(finding)},
                                {"place", finding.place},
                                {"what", finding.what},
                                {"note", finding.note}});
  }
  return JsonText(json, 2) + "\n";
}

ExitCode RunCheck(const CheckFlags& flags, Console& console) {
  if (flags.model.empty()) {
    throw Error(ExitCode::kUsage, "",
                {"no model given", "", "onnx-expose check MODEL"});
  }
  console.Stage("load");
  const Skeleton model = LoadModel(flags.model);
  console.Stage("check");
  const std::vector<Finding> findings = CheckModel(model);
  console.Stage("");
  const auto errors = static_cast<size_t>(std::count_if(
      findings.begin(), findings.end(),
      [](const Finding& f) { return f.level == Finding::Level::kError; }));
  if (flags.json) {
    console.Write(FindingsJson(flags.model, findings, errors));
  } else {
    for (const Finding& finding : findings) console.Write(FindingLine(finding));
  }
  console.Flush();
  console.Say(Printable(flags.model) + ": " +
              (findings.empty()
                   ? "no findings"
                   : Counted(errors, "error") + ", " +
                         Counted(findings.size() - errors, "warning")));
  return errors > 0 ? ExitCode::kInput : ExitCode::kDone;
}

}  // namespace

Command CheckCommand() {
  return {"check", "MODEL", "is it valid: ONNX checker and more rules",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<CheckFlags>();
            Options(app, "").Positional("MODEL", flags->model, "");
            Options(app, "Output")
                .Flag("--json", flags->json, "the findings as JSON");
            return [flags](Console& c) { return RunCheck(*flags, c); };
          }};
}

}  // namespace onnx_expose::cli
