#ifndef ONNX_EXPOSE_CLI_EXPOSE_REPORT_H_
#define ONNX_EXPOSE_CLI_EXPOSE_REPORT_H_

#include <string>
#include <vector>

#include "onnx_expose/pipeline.h"

namespace onnx_expose::cli {

// What an expose did, for programs: one JSON object, always valid UTF-8.
std::string ReportJson(const ExposeRequest& request,
                       const ExposeResult& report);

// The same for people: how many values, which were outputs before, which were
// left out and why.
std::vector<std::string> ReportLines(const ExposeRequest& request,
                                     const ExposeResult& report);

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_EXPOSE_REPORT_H_
