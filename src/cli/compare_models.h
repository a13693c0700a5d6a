#ifndef ONNX_EXPOSE_CLI_COMPARE_MODELS_H_
#define ONNX_EXPOSE_CLI_COMPARE_MODELS_H_

#include <CLI/CLI.hpp>
#include <string>

#include "cli/console.h"
#include "cli/feed_options.h"
#include "cli/runtime_options.h"
#include "cli/selection_options.h"
#include "onnx_expose/compare_models.h"
#include "support/temporary_file.h"

namespace onnx_expose::cli {

// How two models are run and looked at, on the command line.
struct CompareModelFlags {
  SelectionFlags selection;
  FeedFlags feeds;
  RuntimeFlags runtime;
  std::string output;
  std::string max_memory;
  bool introduced = false;
  bool bisect = false;
  std::string extract;
  std::string neighbours = "0";

  // Throws Error(kUsage) if one of them is given that dumps can't have.
  void RefuseWithoutModels() const;
};

void AddCompareModelOptions(CLI::App& app, CompareModelFlags& flags);

// Whether compare takes the path for a model rather than for saved values.
bool IsModel(const std::string& path);

// Two models that are run, and where what they gave is kept meanwhile.
class ComparedRuns {
 public:
  ComparedRuns(const CompareModelFlags& flags, const std::string& a,
               const std::string& b, const CompareOptions& options,
               Console& console);

  // --extract: writes the repro.
  bool ExtractIfAsked(Console& console) const;
  CompareResult Compare() const;

 private:
  const CompareModelFlags& flags_;
  CompareModelsRequest request_;
  TemporaryFolder scratch_;  // unless there is -o
};

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_COMPARE_MODELS_H_
