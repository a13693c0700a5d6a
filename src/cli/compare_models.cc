#include "cli/compare_models.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>

#include "cli/flag_values.h"
#include "cli/options.h"
#include "cli/usage.h"
#include "onnx_expose/error.h"
#include "support/file.h"
#include "support/text.h"

namespace onnx_expose::cli {
namespace {

namespace fs = std::filesystem;

// Values of a bisection's round: enough for few rounds, little to save.
constexpr size_t kAtOnce = 16;

}  // namespace

void CompareModelFlags::RefuseWithoutModels() const {
  const char* flag = introduced             ? "--introduced"
                     : bisect               ? "--bisect"
                     : !extract.empty()     ? "--extract"
                     : !output.empty()      ? "--output"
                     : selection.given()    ? "a selection"
                     : !feeds.sets.empty()  ? "--inputs"
                     : !feeds.files.empty() ? "--input"
                                            : nullptr;
  if (flag == nullptr) return;
  throw Usage(
      fmt::format("{} is for two models, and these are saved values", flag));
}

void AddCompareModelOptions(CLI::App& app, CompareModelFlags& flags) {
  AddSelectionOptions(app, flags.selection);
  AddFeedOptions(app, flags.feeds);
  Options models(app, "Two models");
  models.Text("-o,--output", flags.output, "DIR",
              "keep what they computed in DIR/a and DIR/b; with --extract the "
              "folder to write");
  models.Flag("--introduced", flags.introduced,
              "run each part of A on B's values: which part makes how much of "
              "the error itself");
  models.Flag("--bisect", flags.bisect,
              "find where they begin to differ with few values at a time");
  models.Text("--extract", flags.extract, "NODE",
              "write a model of that node of A alone with its inputs and "
              "expected outputs (B's), as test_data_set_0");
  models.Text("--neighbours", flags.neighbours, "N",
              "--extract: also the nodes up to N steps before it");
  models.Text("--max-memory", flags.max_memory, "SIZE",
              "run in pieces whose weights and values take about this much");
  AddRuntimeOptions(app, "1 by default, for the same numbers everywhere",
                    "disable by default", flags.runtime);
}

bool IsModel(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return false;
  const std::string extension = fs::path(path).extension().string();
  return extension != ".npz" && extension != ".npy" && extension != ".pb";
}

ComparedRuns::ComparedRuns(const CompareModelFlags& flags, const std::string& a,
                           const std::string& b, const CompareOptions& options,
                           Console& console)
    : flags_(flags) {
  request_.model_a = a;
  request_.model_b = b;
  request_.compare = options;
  request_.introduced = flags.introduced;
  RunRequest& run = request_.run;
  run.select = flags.selection.Read();
  run.expose.last = flags.selection.last_iteration();
  run.feeds = flags.feeds.Read();
  run.session = flags.runtime.Read();
  run.libraries = flags.runtime.Libraries();
  if (!flags.max_memory.empty()) {
    run.max_memory = ParseSize("--max-memory", flags.max_memory);
  }
  run.on_stage = [&console](std::string_view stage) { console.Stage(stage); };
  if (!flags.extract.empty() && flags.output.empty()) {
    throw Usage("--extract needs a folder to write", "add -o DIR");
  }
  if (!flags.output.empty() && flags.extract.empty()) {
    std::error_code problem;
    fs::create_directories(flags.output, problem);
    request_.folder = flags.output;
  } else {
    const std::string parent = fs::temp_directory_path().string();
    if (!scratch_.Create(parent)) {
      throw Error(ExitCode::kOutput, parent,
                  {"can't make a folder in it: " + ErrnoText(), "", ""});
    }
    request_.folder = scratch_.path();
  }
}

bool ComparedRuns::ExtractIfAsked(Console& console) const {
  if (flags_.extract.empty()) return false;
  const int64_t steps = ParseNumber("--neighbours", flags_.neighbours);
  constexpr int64_t kMost = 1000;
  if (steps < 0 || steps > kMost) {
    throw Usage(
        fmt::format("--neighbours: {} is not from 0 to {}", steps, kMost));
  }
  ExtractRepro(
      {request_, flags_.extract, static_cast<int>(steps), flags_.output});
  console.Stage("");
  console.Say(fmt::format("{} in {}, inputs and expected outputs in {}",
                          Quoted("model.onnx"), Quoted(flags_.output),
                          Quoted("test_data_set_0")));
  return true;
}

CompareResult ComparedRuns::Compare() const {
  return flags_.bisect ? BisectModels(request_, kAtOnce)
                       : CompareModels(request_);
}

}  // namespace onnx_expose::cli
