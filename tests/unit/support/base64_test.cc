#include "support/base64.h"

#include <gtest/gtest.h>

#include <string>

namespace onnx_expose {
namespace {

TEST(Base64, IsThatOfTheStandard) {
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("fo"), "Zm8=");
  EXPECT_EQ(Base64("foo"), "Zm9v");
  EXPECT_EQ(Base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(Base64("\xfb\xff\xfe"), "+//+");
}

TEST(Base64, ReadsWhatItWrites) {
  std::string bytes;
  for (int i = 0; i < 600; ++i) {
    EXPECT_EQ(FromBase64(Base64(bytes)), bytes);
    bytes += static_cast<char>(i * 31);
  }
}

TEST(Base64, RefusesEverythingElse) {
  for (const char* text :
       {"Z", "Zg", "Zg=", "Zg===", "Z===", "====", "Zm9v!g==", "Zm=v",
        "Zg==Zg==", "Zm 9", "Z\xc3\xbcg"}) {
    EXPECT_FALSE(FromBase64(text)) << text;
  }
}

}  // namespace
}  // namespace onnx_expose
