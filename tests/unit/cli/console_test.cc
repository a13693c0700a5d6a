#include "cli/console.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "onnx_expose/error.h"

namespace onnx_expose::cli {
namespace {

class ConsoleTest : public testing::Test {
 protected:
  ~ConsoleTest() override {
    std::fclose(out_);
    std::fclose(err_);
  }

  static std::string TextOf(std::FILE* file) {
    std::rewind(file);
    std::string text(10000, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file));
    return text;
  }

  std::FILE* out_ = std::tmpfile();
  std::FILE* err_ = std::tmpfile();
};

TEST_F(ConsoleTest, ErrorsHaveOneShape) {
  Console console(out_, err_, false);
  console.Fail(Error(ExitCode::kInput, "m.onnx", {"is empty", "a", "b"}));
  EXPECT_EQ(TextOf(err_),
            "onnx-expose: error: m.onnx: is empty\nnote: a\nhint: b\n");
  EXPECT_EQ(TextOf(out_), "");
}

TEST_F(ConsoleTest, ErrorsAboutNoFile) {
  Console(out_, err_, false).Fail(Error(ExitCode::kUsage, "", {"no", "", ""}));
  EXPECT_EQ(TextOf(err_), "onnx-expose: error: no\n");
}

TEST_F(ConsoleTest, StandardStreamsHaveNames) {
  Console console(out_, err_, false);
  console.Fail(Error(ExitCode::kInput, "-", {"is empty", "", ""}));
  console.Fail(Error(ExitCode::kOutput, "-", {"is full", "", ""}));
  EXPECT_EQ(TextOf(err_),
            "onnx-expose: error: standard input: is empty\n"
            "onnx-expose: error: standard output: is full\n");
}

TEST_F(ConsoleTest, FileNamesCannotBreakLines) {
  Console(out_, err_, false).Warn("a\nb\x1b", Message{"odd", "", ""});
  EXPECT_EQ(TextOf(err_), "onnx-expose: warning: a\\nb\\x1b: odd\n");
}

TEST_F(ConsoleTest, QuietSaysErrorsOnly) {
  Console console(out_, err_, false);
  console.set_verbosity(Console::Verbosity::kQuiet);
  console.Say("done");
  console.Warn("m.onnx", Message{"odd", "", ""});
  EXPECT_EQ(TextOf(err_), "");
  console.Fail(Error(ExitCode::kUsage, "", {"no", "", ""}));
  EXPECT_EQ(TextOf(err_), "onnx-expose: error: no\n");
}

TEST_F(ConsoleTest, StagesOnlyWhenVerbose) {
  Console console(out_, err_, false);
  console.Stage("load");
  console.Stage("");
  EXPECT_EQ(TextOf(err_), "");
  console.set_verbosity(Console::Verbosity::kVerbose);
  console.Stage("load");
  console.Stage("infer");
  console.Stage("");
  const std::string text = TextOf(err_);
  EXPECT_EQ(text.find("onnx-expose: load: "), 0U) << text;
  EXPECT_NE(text.find(" ms\nonnx-expose: infer: "), std::string::npos) << text;
}

TEST_F(ConsoleTest, Colour) {
  Console(out_, err_, true)
      .Fail(Error(ExitCode::kUsage, "", {"no", "", "try"}));
  EXPECT_EQ(TextOf(err_),
            "onnx-expose: \033[1;31merror:\033[0m no\n"
            "\033[1;32mhint:\033[0m try\n");
}

TEST_F(ConsoleTest, AFullOutputIsAnError) {
  std::FILE* full = std::fopen("/dev/full", "w");
  ASSERT_NE(full, nullptr);
  Console console(full, err_, false);
  try {
    console.Write("x");
    console.Flush();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kOutput);
  }
  std::fclose(full);
}

TEST(WantsColour, Variables) {
  ::unsetenv("NO_COLOR");
  ::unsetenv("CLICOLOR_FORCE");
  std::FILE* file = std::tmpfile();
  const int fd = fileno(file);
  EXPECT_FALSE(WantsColour(fd));
  ::setenv("CLICOLOR_FORCE", "1", 1);
  EXPECT_TRUE(WantsColour(fd));
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(WantsColour(fd));
  ::unsetenv("NO_COLOR");
  ::setenv("CLICOLOR_FORCE", "0", 1);
  EXPECT_FALSE(WantsColour(fd));
  ::unsetenv("CLICOLOR_FORCE");
  std::fclose(file);
}

}  // namespace
}  // namespace onnx_expose::cli
