#include "cli/signals.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "tensor/file_bytes.h"
#include "tests/support/model_files.h"

namespace onnx_expose::cli {
namespace {

using onnx_expose::testing::TemporaryFolder;

TEST(SignalsDeathTest, FilesThatBecomeShorterAreNoCrash) {
  const TemporaryFolder folder;
  const std::string path = folder / "x";
  constexpr size_t kSize = size_t{1} << 20;
  std::ofstream(path) << std::string(kSize, 'x');
  EXPECT_EXIT(
      {
        InstallSignalHandlers();
        const FileBytes file = MapFile(path);
        std::filesystem::resize_file(path, 0);
        ::_exit(std::count(file.bytes.begin(), file.bytes.end(),
                           std::byte{'x'}) > 0);
      },
      ::testing::ExitedWithCode(3), "a file became shorter while it was read");
}

}  // namespace
}  // namespace onnx_expose::cli
