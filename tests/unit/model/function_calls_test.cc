#include "model/function_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

using ::testing::ElementsAre;

// F0 is one node; each other one calls `call` with its number.
std::string Model(int functions, const std::string& main,
                  std::string (*body)(int)) {
  std::string text =
      "<ir_version: 8, opset_import: [\"\" : 17, \"d\" : 1]>"
      "g (float[2] x) => (float[2] y) {" +
      main + "}";
  for (int i = 0; i < functions; ++i) {
    text += "<domain: \"d\", opset_import: [\"\" : 17, \"d\" : 1]>F" +
            std::to_string(i) + " (a) => (b) {" + body(i) + "}";
  }
  return text;
}

std::string Twice(int i) {
  if (i == 0) return "b = Neg (a)";
  const std::string callee = "d.F" + std::to_string(i - 1);
  return "c = " + callee + " (a) b = " + callee + " (c)";
}

FunctionCalls Count(const std::string& text) {
  const onnx::ModelProto model = FromText(text);
  return CountFunctionCalls(GraphIndex(model));
}

TEST(FunctionCalls, CountsInlinedNodes) {
  const FunctionCalls calls = Count(Model(3, "y = d.F2 (x)", Twice));
  EXPECT_THAT(calls.inlined_nodes, ElementsAre(0, 1, 4, 10));
  EXPECT_EQ(calls.total, 11U);
  EXPECT_TRUE(calls.recursive.empty());
}

TEST(FunctionCalls, ThirtyDoublingsAreTooMany) {
  EXPECT_GT(Count(Model(30, "y = d.F29 (x)", Twice)).total, kMostInlinedNodes);
}

TEST(FunctionCalls, SeventyDoublingsOverflow) {
  EXPECT_EQ(Count(Model(70, "y = d.F69 (x)", Twice)).total, UINT64_MAX);
}

TEST(FunctionCalls, FindsRecursionOfAnyLength) {
  const auto circle = [](int i) {
    return "b = d.F" + std::to_string((i + 1) % 3) + " (a)";
  };
  const FunctionCalls calls = Count(Model(3, "y = d.F0 (x)", circle));
  EXPECT_FALSE(calls.recursive.empty());
  EXPECT_EQ(calls.total, UINT64_MAX);
}

TEST(FunctionCalls, StandsLongChains) {
  const auto chain = [](int i) -> std::string {
    if (i == 0) return "b = Neg (a)";
    return "b = d.F" + std::to_string(i - 1) + " (a)";
  };
  EXPECT_EQ(Count(Model(20000, "y = d.F19999 (x)", chain)).total, 20001U);
}

TEST(FunctionCalls, CountsCallsInBodies) {
  const FunctionCalls calls =
      Count(Model(2,
                  "c = Constant <value = bool {1}> () y = If (c) <"
                  "then_branch = t () => (float[2] u) { u = d.F1 (x) },"
                  "else_branch = e () => (float[2] w) { w = Identity (x) }>",
                  Twice));
  EXPECT_EQ(calls.total, 1U + 1U + 5U + 1U);
}

}  // namespace
}  // namespace onnx_expose::testing
