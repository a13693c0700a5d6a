#include "cli/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "onnx_expose/error.h"

namespace onnx_expose::cli {
namespace {

using testing::ElementsAre;

class OptionsTest : public testing::Test {
 protected:
  OptionsTest() : app_("", "expose") {
    app_.set_help_flag();
    Options(app_, "").Positional("MODEL", model_, "");
    Options options(app_, "Group");
    options.Text("-o,--output", output_, "OUT", "where");
    options.Flag("-f,--force", force_, "even so");
    options.Flag("--all", all_, "everything");
    options.List("--ops", ops_, "OP[,OP]", "op types");
    options.Texts("--values", values_, "PATTERN", "names");
    options.Pair("--between", between_, "FROM TO", "paths");
  }

  // What the error says; empty if there is none.
  std::string Complaint(const std::vector<std::string>& arguments) {
    try {
      Parse(app_, arguments);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kUsage);
      hint_ = error.message().hint;
      return error.message().what;
    }
    return "";
  }

  CLI::App app_;
  std::string model_;
  std::optional<std::string> output_;
  bool force_ = false;
  bool all_ = false;
  std::vector<std::string> ops_;
  std::vector<std::string> values_;
  std::optional<std::pair<std::string, std::string>> between_;
  std::string hint_;
};

TEST_F(OptionsTest, AListDoesNotSwallowTheModel) {
  Parse(app_, {"-o", "out", "--ops", "Conv,Gemm", "m.onnx"});
  EXPECT_EQ(model_, "m.onnx");
  EXPECT_EQ(output_, "out");
  EXPECT_THAT(ops_, ElementsAre("Conv", "Gemm"));
}

TEST_F(OptionsTest, ListsWiden) {
  Parse(app_, {"--ops", "A", "m.onnx", "--ops=B,C"});
  EXPECT_THAT(ops_, ElementsAre("A", "B", "C"));
}

TEST_F(OptionsTest, PatternsKeepCommasBracketsAndDashes) {
  Parse(app_, {"--values", "[a,b]", "--values", "x{2,3}", "--values", "-y",
               "--values=--ops", "m.onnx"});
  EXPECT_THAT(values_, ElementsAre("[a,b]", "x{2,3}", "-y", "--ops"));
}

TEST_F(OptionsTest, StandardStreamsAreArguments) {
  Parse(app_, {"-", "-o", "-"});
  EXPECT_EQ(model_, "-");
  EXPECT_EQ(output_, "-");
}

TEST_F(OptionsTest, ShortOptionsMayBeJoined) {
  Parse(app_, {"m.onnx", "-fo", "out"});
  EXPECT_TRUE(force_);
  EXPECT_EQ(output_, "out");
}

TEST_F(OptionsTest, TheModelMayLookLikeAnOptionAfterTwoDashes) {
  Parse(app_, {"--all", "--", "--model"});
  EXPECT_EQ(model_, "--model");
}

TEST_F(OptionsTest, BetweenTakesTwoNames) {
  Parse(app_, {"--between", "a", "b", "m.onnx"});
  ASSERT_TRUE(between_.has_value());
  EXPECT_EQ(between_->first, "a");
  EXPECT_EQ(between_->second, "b");
  EXPECT_EQ(model_, "m.onnx");
}

TEST_F(OptionsTest, MissingValues) {
  EXPECT_EQ(Complaint({"m", "--ops"}), "'--ops' needs a value (OP[,OP])");
  EXPECT_EQ(Complaint({"m", "--ops="}), "'--ops' needs a value (OP[,OP])");
  EXPECT_EQ(Complaint({"--between", "a", "-o", "out"}),
            "'--between' needs two values (FROM TO)");
}

TEST_F(OptionsTest, AnOptionIsNoValue) {
  EXPECT_EQ(Complaint({"m", "--values", "--all"}),
            "'--values' needs a value (PATTERN)");
  EXPECT_EQ(hint_, "if '--all' is the value, write '--values=--all'");
}

TEST_F(OptionsTest, UnknownOptions) {
  EXPECT_EQ(Complaint({"m", "--valeus", "x"}), "unknown option '--valeus'");
  EXPECT_EQ(hint_, "did you mean '--values'?");
  EXPECT_EQ(Complaint({"m", "--frobnicate=3"}),
            "unknown option '--frobnicate'");
  EXPECT_EQ(hint_, "see 'onnx-expose expose --help'");
  EXPECT_EQ(Complaint({"m", "-fx"}), "unknown option '-x'");
}

TEST_F(OptionsTest, OneModelAtATime) {
  EXPECT_EQ(Complaint({"--ops", "Conv", "Gemm", "m.onnx"}),
            "unexpected argument 'm.onnx'");
}

TEST_F(OptionsTest, GivenTwice) {
  EXPECT_EQ(Complaint({"m", "-o", "a", "--output", "b"}),
            "'--output' is given twice");
  EXPECT_EQ(Complaint({"m", "--between", "a", "b", "--between", "c", "d"}),
            "'--between' is given twice");
}

TEST_F(OptionsTest, FlagsTakeNoValue) {
  EXPECT_EQ(Complaint({"m", "--all=false"}), "'--all' takes no value");
}

TEST_F(OptionsTest, EmptyItems) {
  EXPECT_EQ(Complaint({"m", "--ops", "a,,b"}), "'--ops': empty item in a list");
}

TEST_F(OptionsTest, HelpHasEveryOptionInItsGroup) {
  EXPECT_EQ(OptionsText(app_),
            "\nGroup:\n"
            "  -o, --output OUT              where\n"
            "  -f, --force                   even so\n"
            "      --all                     everything\n"
            "      --ops OP[,OP]             op types\n"
            "      --values PATTERN          names\n"
            "      --between FROM TO         paths\n");
}

}  // namespace
}  // namespace onnx_expose::cli
