#include "report/compare_report.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "onnx_expose/compare.h"

namespace onnx_expose {
namespace {

TEST(CompareReport, NamesTenFirstDivergencesAndCountsTheOthers) {
  CompareResult result;
  for (size_t i = 0; i < 12; ++i) {
    ComparedValue value;
    value.name_a = value.name_b = "v" + std::to_string(i);
    result.values.push_back(value);
    result.first_divergence.push_back(i);
  }
  std::vector<std::string> lines = DivergenceLines(result);
  ASSERT_EQ(lines.size(), 11U);
  EXPECT_NE(lines[9].find("v9"), std::string::npos);
  EXPECT_EQ(lines[10], "... and 2 more (all with --json)");
  result.first_divergence.resize(10);
  EXPECT_EQ(DivergenceLines(result).size(), 10U);
}

}  // namespace
}  // namespace onnx_expose
