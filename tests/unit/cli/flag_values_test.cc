#include "cli/flag_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>

#include "onnx_expose/error.h"

namespace onnx_expose::cli {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::string Complaint(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    return error.message().what;
  }
  return "";
}

TEST(SplitAssignment, AtTheLastEqualsSign) {
  EXPECT_THAT(SplitAssignment("--dim", "N=2", "N=2"), Pair("N", "2"));
  EXPECT_THAT(SplitAssignment("--type", "a=b:0=float[1,N]", ""),
              Pair("a=b:0", "float[1,N]"));
}

TEST(SplitAssignment, NeedsBothSides) {
  EXPECT_EQ(Complaint([] { SplitAssignment("--dim", "N", "N=2"); }),
            "'--dim N' is not of the form N=2");
  EXPECT_EQ(Complaint([] { SplitAssignment("--dim", "=2", "N=2"); }),
            "'--dim =2' is not of the form N=2");
}

TEST(ParseNumber, WholeNumbersOnly) {
  EXPECT_EQ(ParseNumber("--dim", "224"), 224);
  EXPECT_EQ(ParseNumber("--dim", "-1"), -1);
  EXPECT_EQ(Complaint([] { ParseNumber("--dim", "2.5"); }),
            "--dim: '2.5' is not a whole number");
  EXPECT_EQ(Complaint([] { ParseNumber("--dim", ""); }),
            "--dim: '' is not a whole number");
  EXPECT_EQ(Complaint([] { ParseNumber("--dim", "9223372036854775808"); }),
            "--dim: '9223372036854775808' is too large");
}

TEST(ParseNumbers, SeparatedByCommas) {
  EXPECT_THAT(ParseNumbers("--shape", "1,3,224"), ElementsAre(1, 3, 224));
  EXPECT_EQ(Complaint([] { ParseNumbers("--shape", "1,,2"); }),
            "--shape: '' is not a whole number");
  EXPECT_EQ(Complaint([] { ParseNumbers("--shape", "1,"); }),
            "--shape: '' is not a whole number");
}

TEST(ParseChoice, OneOfThem) {
  EXPECT_EQ(ParseChoice("--untyped", "skip", {"keep", "skip"}), 1U);
  EXPECT_EQ(Complaint([] {
              ParseChoice("--untyped", "x", {"keep", "skip"});
            }),
            "--untyped can't be 'x', only keep, skip");
}

class ReadNamesTest : public testing::Test {
 protected:
  std::vector<std::string> Read(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return ReadNames(path_);
  }
  void TearDown() override { std::remove(path_.c_str()); }

  const std::string path_ = testing::TempDir() + "onnx_expose_names.txt";
};

TEST_F(ReadNamesTest, OneALine) {
  EXPECT_THAT(Read("a\n b \nc d"), ElementsAre("a", " b ", "c d"));
}

TEST_F(ReadNamesTest, CommentsEmptyLinesAndCarriageReturns) {
  EXPECT_THAT(Read("# all\r\na\r\n\r\n\nb#1\r\n"), ElementsAre("a", "b#1"));
}

TEST_F(ReadNamesTest, ByteOrderMark) {
  EXPECT_THAT(Read("\xEF\xBB\xBF# x\na\n"), ElementsAre("a"));
}

TEST_F(ReadNamesTest, Nothing) { EXPECT_THAT(Read(""), ElementsAre()); }

TEST(ReadNames, NamesTheFileThatIsNotThere) {
  for (const std::string path : {"/nonexistent/names.txt", "/tmp"}) {
    try {
      ReadNames(path);
      FAIL() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kInput);
      EXPECT_EQ(error.file(), path);
    }
  }
}

TEST(IsSwitchedOn, ByWordsInAnyCase) {
  const char* name = "ONNX_EXPOSE_UNIT_TEST";
  for (const char* on : {"1", "true", "YES", "On"}) {
    ::setenv(name, on, 1);
    EXPECT_TRUE(IsSwitchedOn(name)) << on;
  }
  for (const char* off : {"", "0", "off", "2", " 1"}) {
    ::setenv(name, off, 1);
    EXPECT_FALSE(IsSwitchedOn(name)) << off;
  }
  ::unsetenv(name);
  EXPECT_FALSE(IsSwitchedOn(name));
}

}  // namespace
}  // namespace onnx_expose::cli
