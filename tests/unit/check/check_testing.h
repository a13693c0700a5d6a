#ifndef ONNX_EXPOSE_TESTS_UNIT_CHECK_CHECK_TESTING_H_
#define ONNX_EXPOSE_TESTS_UNIT_CHECK_CHECK_TESTING_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>

#include <algorithm>
#include <string>
#include <vector>

#include "onnx_expose/check.h"

namespace onnx_expose::testing {

inline constexpr char kHeader[] = R"(<ir_version: 8, opset_import: ["" : 17]>)";

// A model in ONNX text syntax.
inline Skeleton Parse(const std::string& graph,
                      const std::string& header = kHeader) {
  Skeleton model;
  const std::string text = header + "\n" + graph;
  onnx::OnnxParser parser(text.c_str());
  const auto status = parser.Parse(model.proto);
  EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
  return model;
}

// x -> Relu 'n0' -> a -> Add 'n1' with w -> y
inline Skeleton Base() {
  return Parse(R"(
    g (float[1,4] x) => (float[1,4] y) <float[1,4] w = {1, 1, 1, 1}> {
      [n0] a = Relu (x)
      [n1] y = Add (a, w)
    })");
}

// Each finding as a line: "error: PLACE: WHAT (NOTE)". Warnings that fail the
// ONNX checker begin with "refused".
inline std::vector<std::string> Lines(const Skeleton& model) {
  std::vector<std::string> lines;
  for (const Finding& finding : CheckModel(model)) {
    std::string line = finding.level == Finding::Level::kError ? "error: "
                       : finding.checker_refuses               ? "refused: "
                                                               : "warning: ";
    line += finding.place + ": " + finding.what;
    if (!finding.note.empty()) line += " (" + finding.note + ")";
    lines.push_back(line);
  }
  return lines;
}

// Whether --strict refuses it.
inline bool Refused(const Skeleton& model) {
  const auto findings = CheckModel(model);
  return std::any_of(findings.begin(), findings.end(), IsRefused);
}

}  // namespace onnx_expose::testing

#endif  // ONNX_EXPOSE_TESTS_UNIT_CHECK_CHECK_TESTING_H_
