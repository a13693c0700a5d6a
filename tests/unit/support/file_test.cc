#include "support/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

std::string Pattern(size_t size) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * i >> 3);
  return bytes;
}

class FileTest : public ::testing::Test {
 protected:
  int Open(const std::string& name, int flags) {
    return ::open((folder_ / name).c_str(), flags | O_CLOEXEC, 0600);
  }
  const TemporaryFolder folder_;
};

TEST_F(FileTest, ReadAtReadsExactly) {
  WriteFile(folder_ / "a", "0123456789");
  const int fd = Open("a", O_RDONLY);
  std::string into(4, ' ');
  EXPECT_TRUE(ReadAt(fd, 3, into.data(), 4));
  EXPECT_EQ(into, "3456");
  EXPECT_FALSE(ReadAt(fd, 8, into.data(), 4));
  EXPECT_EQ(errno, 0);
  EXPECT_FALSE(ReadAt(-1, 0, into.data(), 4));
  EXPECT_EQ(errno, EBADF);
  ::close(fd);
}

TEST_F(FileTest, CopyRangeCopiesBetweenFiles) {
  const std::string bytes = Pattern(300000);
  WriteFile(folder_ / "a", bytes);
  const int from = Open("a", O_RDONLY);
  const int to = Open("b", O_WRONLY | O_CREAT);
  EXPECT_TRUE(WriteAll(to, "head"));
  EXPECT_TRUE(CopyRange(from, 5, 10, to));
  EXPECT_TRUE(CopyRange(from, 1000, 290000, to));
  EXPECT_EQ(ReadFile(folder_ / "b"),
            "head" + bytes.substr(5, 10) + bytes.substr(1000, 290000));
  // Pages in step, and not from the start of one.
  ASSERT_EQ(::ftruncate(to, 0), 0);
  ASSERT_EQ(::lseek(to, 0, SEEK_SET), 0);
  EXPECT_TRUE(WriteAll(to, "head"));
  EXPECT_TRUE(CopyRange(from, 4100, 200000, to));
  EXPECT_TRUE(ReadFile(folder_ / "b") == "head" + bytes.substr(4100, 200000));
  EXPECT_FALSE(CopyRange(from, 299999, 50000, to));  // beyond its end
  EXPECT_EQ(errno, 0);
  ::close(from);
  ::close(to);
}

TEST_F(FileTest, CopyRangeCopiesIntoPipes) {
  const std::string bytes = Pattern(300000);
  WriteFile(folder_ / "a", bytes);
  const int from = Open("a", O_RDONLY);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::string got;
  std::thread reader([&] {
    std::string buffer(65536, '\0');
    for (ssize_t n; (n = ::read(ends[0], buffer.data(), buffer.size())) > 0;) {
      got.append(buffer, 0, static_cast<size_t>(n));
    }
  });
  EXPECT_TRUE(CopyRange(from, 7, 299000, ends[1]));
  ::close(ends[1]);
  reader.join();
  EXPECT_TRUE(got == bytes.substr(7, 299000));
  ::close(ends[0]);
  ::close(from);
}

TEST_F(FileTest, CopyRangeCopiesToTheEndOfAppendedFiles) {
  // copy_file_range refuses files opened for appending.
  WriteFile(folder_ / "a", Pattern(50000));
  WriteFile(folder_ / "b", "head");
  const int from = Open("a", O_RDONLY);
  const int to = Open("b", O_WRONLY | O_APPEND);
  EXPECT_TRUE(CopyRange(from, 0, 50000, to));
  EXPECT_TRUE(ReadFile(folder_ / "b") == "head" + Pattern(50000));
  ::close(from);
  ::close(to);
}

TEST_F(FileTest, WritingFailsWithErrno) {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  EXPECT_FALSE(WriteAll(full, "x"));
  EXPECT_EQ(errno, ENOSPC);
  EXPECT_EQ(ErrnoText(), "No space left on device");
  WriteFile(folder_ / "a", Pattern(50000));
  const int from = Open("a", O_RDONLY);
  EXPECT_FALSE(CopyRange(from, 0, 50000, full));
  EXPECT_EQ(errno, ENOSPC);
  ::close(from);
  ::close(full);
}

TEST_F(FileTest, Paths) {
  EXPECT_EQ(FolderOf("a/b"), "a");
  EXPECT_EQ(FolderOf("/a/b/c"), "/a/b");
  EXPECT_EQ(FolderOf("b"), ".");
  EXPECT_EQ(FolderOf("/b"), "/");
  WriteFile(folder_ / "a", "");
  std::filesystem::create_symlink("a", folder_ / "link");
  EXPECT_EQ(RealPath(folder_ / "link"), RealPath(folder_ / "a"));
  EXPECT_EQ(RealPath("/no/such/file"), "/no/such/file");
}

}  // namespace
}  // namespace onnx_expose::testing
