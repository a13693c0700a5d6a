#include "support/text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace onnx_expose {
namespace {

TEST(Printable, EscapesWhatWouldBreakALine) {
  EXPECT_EQ(Printable("a\tb\nc\r\x1b[0m\x7f"), "a\\tb\\nc\\r\\x1b[0m\\x7f");
}

TEST(Printable, KeepsOtherScripts) {
  EXPECT_EQ(Printable("名前 ü \xF0\x9F\x98\x80"), "名前 ü \xF0\x9F\x98\x80");
}

TEST(Printable, EscapesWhatIsNotUtf8) {
  EXPECT_EQ(Printable("\xff\xfeQ"), "\\xff\\xfeQ");
  EXPECT_EQ(Printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // surrogate
  EXPECT_EQ(Printable("\xe5\x90"), "\\xe5\\x90");           // cut off
  EXPECT_EQ(Printable("\xc2\x85"), "\\xc2\\x85");           // C1 control
  EXPECT_EQ(Printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(NameList, EightAndACount) {
  std::vector<std::string> names = {"a", "b"};
  EXPECT_EQ(NameList(names), "'a', 'b'");
  names.assign(10, "x");
  EXPECT_EQ(NameList(names),
            "'x', 'x', 'x', 'x', 'x', 'x', 'x', 'x' ... and 2 more");
}

TEST(Nearest, CaseAndFewEdits) {
  EXPECT_EQ(Nearest("relu", {"Conv", "Relu"}), "Relu");
  EXPECT_EQ(Nearest("Cnov", {"Conv", "Relu"}), "Conv");  // swapped
  EXPECT_EQ(Nearest("flaot", {"float", "float16"}), "float");
  EXPECT_EQ(Nearest("labe", {"label", "table"}), "label");
  EXPECT_EQ(Nearest("zebra", {"Conv", "Relu"}), "");
  EXPECT_EQ(Nearest("", {"a"}), "");
}

TEST(Nearest, TheNearestWins) {
  EXPECT_EQ(Nearest("values", {"value", "values-from", "values"}), "values");
  EXPECT_EQ(Nearest("abcdef", {"abcxyf", "abcdxf"}), "abcdxf");
}

TEST(ByteText, PowersOf1000) {
  EXPECT_EQ(ByteText(1), "1 byte");
  EXPECT_EQ(ByteText(999), "999 bytes");
  EXPECT_EQ(ByteText(1000), "1.0 kB");
  EXPECT_EQ(ByteText(999949), "999.9 kB");
  EXPECT_EQ(ByteText(999950), "1.0 MB");
  EXPECT_EQ(ByteText(1900000000), "1.9 GB");
}

TEST(Counted, OneAndMany) {
  EXPECT_EQ(Counted(0, "node"), "0 nodes");
  EXPECT_EQ(Counted(1, "node"), "1 node");
}

}  // namespace
}  // namespace onnx_expose
