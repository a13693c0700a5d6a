#ifndef ONNX_EXPOSE_CLI_COMPARE_OPTIONS_H_
#define ONNX_EXPOSE_CLI_COMPARE_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "onnx_expose/compare.h"

namespace onnx_expose::cli {

// What is close enough and what belongs together, on the command line.
struct CompareFlags {
  std::optional<std::string> atol;
  std::optional<std::string> rtol;
  std::optional<std::string> of_peak;
  std::optional<std::string> outside;
  std::optional<std::string> min_cosine;
  std::optional<std::string> max_ulp;
  std::vector<std::string> tolerances;
  std::string tolerance_file;
  std::vector<std::string> map;
  std::string map_file;
  std::optional<std::string> relative_floor;
  bool quantized = false;
  bool require_all = false;
  bool same_types = false;

  // Throws Error(kUsage): a value that isn't of its flag's form. Error(kInput):
  // a file that can't be read or has such a line.
  CompareOptions Read() const;
};

void AddCompareOptions(CLI::App& app, CompareFlags& flags);

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_COMPARE_OPTIONS_H_
