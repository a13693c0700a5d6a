#include "support/temporary_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "support/file.h"
#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

namespace fs = std::filesystem;

class TemporaryFileTest : public ::testing::Test {
 protected:
  int64_t Files() const {
    return std::distance(fs::directory_iterator(folder_.path()), {});
  }
  const TemporaryFolder folder_;
  const std::string target_ = folder_ / "out";
};

TEST_F(TemporaryFileTest, AppearsWhenItIsMoved) {
  TemporaryFile file;
  ASSERT_TRUE(file.Create(target_));
  EXPECT_TRUE(WriteAll(file.fd(), "bytes"));
  EXPECT_FALSE(fs::exists(target_));
  EXPECT_EQ(Files(), 1);
  ASSERT_TRUE(file.MoveTo(target_, /*replace=*/false, /*sync=*/true));
  EXPECT_EQ(ReadFile(target_), "bytes");
  EXPECT_EQ(Files(), 1);
}

TEST_F(TemporaryFileTest, LeavesNothingBehind) {
  {
    TemporaryFile file;
    ASSERT_TRUE(file.Create(target_));
    EXPECT_EQ(Files(), 1);
  }
  EXPECT_EQ(Files(), 0);
}

TEST_F(TemporaryFileTest, ReplacesOnlyWhenTold) {
  WriteFile(target_, "old");
  {
    TemporaryFile file;
    ASSERT_TRUE(file.Create(target_));
    EXPECT_FALSE(file.MoveTo(target_, /*replace=*/false, /*sync=*/false));
    EXPECT_EQ(errno, EEXIST);
  }
  EXPECT_EQ(ReadFile(target_), "old");
  EXPECT_EQ(Files(), 1);
  TemporaryFile file;
  ASSERT_TRUE(file.Create(target_));
  EXPECT_TRUE(file.MoveTo(target_, /*replace=*/true, /*sync=*/false));
  EXPECT_EQ(ReadFile(target_), "");
}

TEST_F(TemporaryFileTest, HasTheModeOfAnyNewFile) {
  const mode_t before = ::umask(027);
  TemporaryFile file;
  ASSERT_TRUE(file.Create(target_));
  ::umask(before);
  ASSERT_TRUE(file.MoveTo(target_, /*replace=*/false, /*sync=*/false));
  struct stat info {};
  ASSERT_EQ(::stat(target_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640U);
}

TEST_F(TemporaryFileTest, SignalsRemoveAllOfThem) {
  TemporaryFile one;
  TemporaryFile two;
  ASSERT_TRUE(one.Create(target_));
  ASSERT_TRUE(two.Create(target_));
  EXPECT_EQ(Files(), 2);
  RemoveTemporaryFiles();
  EXPECT_EQ(Files(), 0);
}

TEST_F(TemporaryFileTest, NeedsAFolder) {
  TemporaryFile file;
  EXPECT_FALSE(file.Create(folder_ / "no/such/out"));
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace onnx_expose::testing
