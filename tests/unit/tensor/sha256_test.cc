#include "tensor/sha256.h"

#include <gtest/gtest.h>

#include <string>

#include "onnx_expose/error.h"
#include "tests/support/model_files.h"

namespace onnx_expose {
namespace {

std::string Sum(const std::string& text) {
  return Sha256(std::as_bytes(std::span(text)));
}

// FIPS 180-2, appendix B.
TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(Sum("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sum(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfAFile) {
  const testing::TemporaryFolder folder;
  const std::string text(3000000, 'x');
  testing::WriteFile(folder / "a", text);
  EXPECT_EQ(Sha256OfFile(folder / "a"), Sum(text));
  EXPECT_THROW(Sha256OfFile(folder / "b"), Error);
  EXPECT_THROW(Sha256OfFile(folder.path()), Error);
}

}  // namespace
}  // namespace onnx_expose
