#ifndef ONNX_EXPOSE_CLI_RUN_REPORT_H_
#define ONNX_EXPOSE_CLI_RUN_REPORT_H_

#include <string>
#include <vector>

#include "onnx_expose/run.h"

namespace onnx_expose::cli {

// What a run gave, for programs: one JSON object, always valid UTF-8.
std::string RunJson(const RunRequest& request, const RunResult& result);

// The statistics of each data set, worst first, for people; `plot`: with small
// histograms.
std::string RunTables(const RunResult& result, bool plot);

// What else a person should know: how many values and bytes, where, whether
// the model's own outputs are what they were, the first bad value.
std::vector<std::string> RunLines(const RunRequest& request,
                                  const RunResult& result);

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_RUN_REPORT_H_
