#include "selector/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "onnx_expose/error.h"

namespace onnx_expose {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

bool Matches(const std::string& pattern, const std::string& name) {
  return Pattern("--values", pattern).Matches(name);
}

Error Failure(const std::string& pattern) {
  try {
    const Pattern parsed("--values", pattern);
    ADD_FAILURE() << "a pattern after all: " << pattern;
  } catch (const Error& error) {
    return error;
  }
  return Error(ExitCode::kDone, "", {});
}

TEST(PatternTest, IsSearchedAnywhere) {
  EXPECT_TRUE(Matches("Conv", "/layer1/Conv_output_0"));
  EXPECT_FALSE(Matches("^Conv", "/layer1/Conv_output_0"));
  EXPECT_TRUE(Matches("0$", "/layer1/Conv_output_0"));
  EXPECT_FALSE(Matches("conv", "Conv"));
  EXPECT_TRUE(Matches("(?i)conv", "Conv"));
  EXPECT_TRUE(Matches("", "anything"));
}

TEST(PatternTest, EqualsSignMarksAnExactName) {
  EXPECT_TRUE(Matches("=a.b(c)[d]", "a.b(c)[d]"));
  EXPECT_FALSE(Matches("=a.b", "axb"));
  EXPECT_FALSE(Matches("=a", "ab"));
  EXPECT_FALSE(Matches("=a", "=a"));
  EXPECT_TRUE(Matches("==eq", "=eq"));
  EXPECT_FALSE(Matches("==eq", "eq"));
  EXPECT_TRUE(Matches("[=]eq", "=eq"));
}

TEST(PatternTest, LineBreaksArePartOfTheName) {
  EXPECT_TRUE(Matches("^a.b$", "a\nb"));
  EXPECT_FALSE(Matches("^a$", "a\nb"));
  EXPECT_FALSE(Matches("a$", "a\n"));
  EXPECT_TRUE(Matches("(?m)^b$", "a\nb"));
  EXPECT_FALSE(Matches("(?-s)a.b", "a\nb"));
}

TEST(PatternTest, CharactersAreCodePoints) {
  EXPECT_TRUE(Matches("^..$", "\u540d\u524d"));
  EXPECT_TRUE(Matches("^[\u540d\u524d]+$", "\u540d\u524d"));
  EXPECT_FALSE(Matches("[\u540d]", "\u524d"));
  EXPECT_TRUE(Matches("\\pL", "\u540d"));
  EXPECT_TRUE(Matches("\\x{540d}", "\u540d"));
  EXPECT_TRUE(Matches("^\\xe9$", "\u00e9"));
}

TEST(PatternTest, CharactersOfNamesThatAreNoTextAreBytes) {
  const std::string name = "\xff\xfeQQ";
  EXPECT_TRUE(Matches("^..QQ$", name));
  EXPECT_TRUE(Matches("^\\xff", name));
  EXPECT_TRUE(Matches("QQ", name));
  EXPECT_TRUE(Matches("=" + name, name));
  // The pattern isn't text either.
  EXPECT_TRUE(Matches("\xff\xfe", name));
  EXPECT_FALSE(Matches("\xff\xfe", "\u00ff\u00fe"));
  // No byte is code point 540d, and the pattern as characters still works.
  EXPECT_FALSE(Matches("\\x{540d}", name));
  EXPECT_TRUE(Matches("\\x{540d}", "\xff\u540d"));
}

TEST(PatternTest, NulIsACharacter) {
  const std::string name("a\0b", 3);
  EXPECT_TRUE(Matches("^a.b$", name));
  EXPECT_TRUE(Matches("=" + name, name));
  EXPECT_FALSE(Matches("=a", name));
}

TEST(PatternTest, SaysWhatIsWrong) {
  const Error error = Failure("a(b");
  EXPECT_EQ(error.code(), ExitCode::kUsage);
  EXPECT_THAT(error.what(), HasSubstr("--values 'a(b' is no valid pattern"));
  EXPECT_THAT(error.what(), HasSubstr("missing )"));
  EXPECT_THAT(error.message().hint, HasSubstr("'=a(b'"));
}

TEST(PatternTest, SaysWhere) {
  EXPECT_THAT(Failure("ab[z-a]").what(), HasSubstr("'z-a' at byte 4"));
}

TEST(PatternTest, SaysWhatRe2Lacks) {
  for (const char* pattern : {"(a)\\1", "a(?=b)", "a(?!b)", "(?<=a)b"}) {
    const Error error = Failure(pattern);
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    EXPECT_THAT(error.message().hint, HasSubstr("RE2")) << pattern;
  }
}

TEST(PatternTest, BrokenBytesAreQuotedReadably) {
  EXPECT_THAT(Failure("\xff(\n").what(), HasSubstr("'\\xff(\\n'"));
}

TEST(PatternTest, MemoryIsBounded) {
  EXPECT_THAT(Failure("((a{100}){100}){100}").what(),
              HasSubstr("is no valid pattern"));
  EXPECT_EQ(Failure("(\\pL{1000}){10}").code(), ExitCode::kUsage);
}

TEST(PatternTest, TryDoesNotThrow) {
  EXPECT_FALSE(Pattern::Try("(").has_value());
  EXPECT_FALSE(Pattern::Try("\xff(").has_value());
  EXPECT_TRUE(Pattern::Try("=(").has_value());
  EXPECT_TRUE(Pattern::Try("a+").has_value());
}

TEST(PatternTest, LiteralIsTheNameSpelledOut) {
  const auto literal = [](const std::string& text) {
    return Pattern("--values", text).Literal();
  };
  EXPECT_EQ(literal("=a+b"), "a+b");
  EXPECT_EQ(literal("^/enc/Relu.0$"), "/enc/Relu.0");
  EXPECT_EQ(literal("a|b"), "");
  EXPECT_EQ(literal("\\d"), "");
}

TEST(PatternListTest, FindsAllThatMatch) {
  PatternList list("--values", {"a", "=abc", "z", "a", "=abc"});
  list.AddExact("abc");
  list.AddExact("q");
  EXPECT_THAT(list.texts(), ElementsAre("a", "=abc", "z", "=q"));
  std::vector<int> found;
  list.Match("abc", found);
  EXPECT_THAT(found, ::testing::UnorderedElementsAre(0, 1));
  found.clear();
  list.Match("q", found);
  EXPECT_THAT(found, ElementsAre(3));
  found.clear();
  list.Match("y", found);
  EXPECT_THAT(found, IsEmpty());
}

}  // namespace
}  // namespace onnx_expose
