#include "runtime/sentence.h"

#include <gtest/gtest.h>

#include "runtime/log.h"

namespace onnx_expose {
namespace {

TEST(RuntimeSentenceTest, PlacesAndStatusCodesAreLeftOut) {
  EXPECT_EQ(
      RuntimeSentence(
          "[ONNXRuntimeError] : 1 : FAIL : Non-zero status code returned while "
          "running Neg node. Name:'n3' Status Message: "
          "/onnxruntime_src/core/framework/op_kernel.cc:87 virtual OrtValue* "
          "onnxruntime::OpKernelContext::OutputMLValue(int, const "
          "onnxruntime::TensorShape&) [ONNXRuntimeError] : 1 : FAIL : Shape "
          "mismatch attempting to re-use buffer. {1,4} != {2,4}.\n"),
      "Neg 'n3': Shape mismatch attempting to re-use buffer. {1,4} != {2,4}");
}

TEST(RuntimeSentenceTest, TemplatesInSignatures) {
  EXPECT_EQ(RuntimeSentence(
                "/a/b.h:46 void onnxruntime::Check(const "
                "std::unordered_map<std::__cxx11::basic_string<char>, int>&, "
                "bool) const [with T = std::vector<int>] opset 99 is too new"),
            "opset 99 is too new");
}

TEST(RuntimeSentenceTest, OneWordInFront) {
  EXPECT_EQ(RuntimeSentence("Path refused: w. Error: tensorprotoutils.cc:592 "
                            "ValidatePath Absolute path (of std::string)"),
            "Path refused: w. Error: Absolute path (of std::string)");
}

TEST(RuntimeSentenceTest, PrefixesThatRepeatWhatIsSaidAnyway) {
  EXPECT_EQ(RuntimeSentence("Load model from /m.onnx failed:This is an invalid "
                            "model. Error: the graph is not acyclic."),
            "the graph is not acyclic");
}

TEST(RuntimeSentenceTest, NothingAndDots) {
  EXPECT_EQ(RuntimeSentence(""), "");
  EXPECT_EQ(RuntimeSentence("...\n"), "");
  EXPECT_EQ(RuntimeSentence("a.cc:1 "), "");
  EXPECT_EQ(RuntimeSentence("a\x01z"), "a\\x01z");
}

TEST(RuntimeLogTest, OncePerValueInOurWords) {
  RuntimeLog log;
  log.Add(
      "Expected shape from model of {-1,4} does not match actual shape of "
      "{2,3} for output y");
  log.Add(
      "Expected shape from model of {-1,4} does not match actual shape of "
      "{7,3} for output y");
  log.Add(
      "Error merging shape info for output. 'a-1' source:{1,-1} target:{5,4}. "
      "Falling back to lenient merge.");
  const Warnings warnings = log.Take();
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0].what, "'y' is declared [?,4] and is [2,3]");
  EXPECT_EQ(warnings[1].what,
            "'a-1' is declared [5,4], and by inference is [1,?]");
  EXPECT_TRUE(log.Take().empty());
}

TEST(RuntimeLogTest, NoMoreThanEightOfAKind) {
  RuntimeLog log;
  for (int i = 0; i < 20; ++i) {
    log.Add(
        "Expected shape from model of {1} does not match actual shape of "
        "{2} for output v" +
        std::to_string(i));
  }
  const Warnings warnings = log.Take();
  ASSERT_EQ(warnings.size(), 9U);
  EXPECT_EQ(warnings[8].what,
            "12 more values that haven't their declared shape");
}

TEST(RuntimeLogTest, WhatIsNotAboutValuesIsDropped) {
  RuntimeLog log;
  log.Add(
      "Initializer w appears in graph inputs and will not be treated as "
      "constant value/weight. This may prevent some optimizations.");
  log.Add(
      "Removing initializer 'w'. It is not used by any node and should be "
      "removed from the model.");
  EXPECT_TRUE(log.Take().empty());
}

TEST(RuntimeLogTest, TheRestAsItIs) {
  RuntimeLog log;
  log.Add("something new.");
  log.Add("something new.");
  const Warnings warnings = log.Take();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].what, "ONNX Runtime: something new");
}

}  // namespace
}  // namespace onnx_expose
