#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/unit/check/check_testing.h"

namespace onnx_expose {
namespace {

namespace fs = std::filesystem;
using namespace testing;  // NOLINT(google-build-using-namespace)

constexpr char kOnlyOrt[] =
    " (the ONNX checker passes it, ONNX Runtime refuses it)";

// A folder with a model file; its initializer 'w', float[1,4], is external.
class CheckExternal : public ::testing::Test {
 protected:
  CheckExternal() {
    std::string pattern = fs::temp_directory_path() / "check_external_XXXXXX";
    root_ = ::mkdtemp(pattern.data());
    folder_ = root_ / "model";
    fs::create_directory(folder_);
    Open(folder_ / "m.onnx");
    auto& weight = *model_.proto.mutable_graph()->mutable_initializer(0);
    weight.clear_float_data();
    weight.set_data_location(onnx::TensorProto::EXTERNAL);
    Say("location", "w.bin");
  }
  ~CheckExternal() override { fs::remove_all(root_); }

  void Open(const fs::path& path) {
    if (!fs::exists(path)) std::ofstream(path) << "model";
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    model_.source = std::make_shared<InputFile>(fd, path.string());
  }

  static void Write(const fs::path& path, size_t bytes) {
    std::ofstream(path) << std::string(bytes, '\0');
  }

  void Say(const std::string& key, const std::string& value) {
    auto& weight = *model_.proto.mutable_graph()->mutable_initializer(0);
    for (auto& entry : *weight.mutable_external_data()) {
      if (entry.key() == key) return entry.set_value(value);
    }
    auto* entry = weight.add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }

  // What is said of 'w'; nothing about anything else.
  std::string Found() {
    const auto lines = Lines(model_);
    if (lines.empty()) return "";
    EXPECT_THAT(lines, ::testing::SizeIs(1));
    const std::string start = "error: initializer 'w': ";
    EXPECT_EQ(lines[0].substr(0, start.size()), start);
    return lines[0].substr(start.size());
  }

  fs::path root_;
  fs::path folder_;
  Skeleton model_ = Base();
};

TEST_F(CheckExternal, LiesBesideTheModel) {
  EXPECT_EQ(Found(), "its data file 'w.bin' is not there");
  Write(folder_ / "w.bin", 16);
  EXPECT_EQ(Found(), "");
}

TEST_F(CheckExternal, NeverOpened) {
  Write(folder_ / "w.bin", 16);
  fs::permissions(folder_ / "w.bin", fs::perms::none);
  EXPECT_EQ(Found(), "");
}

TEST_F(CheckExternal, TooShort) {
  Write(folder_ / "w.bin", 15);
  EXPECT_EQ(Found(), std::string("needs 16 bytes from byte 0 of the data file "
                                 "'w.bin', which has 15 bytes") +
                         kOnlyOrt);
  Write(folder_ / "w.bin", 31);
  Say("offset", "16");
  EXPECT_EQ(Found(), std::string("needs 16 bytes from byte 16 of the data file "
                                 "'w.bin', which has 31 bytes") +
                         kOnlyOrt);
  Say("offset", "9223372036854775807");
  EXPECT_NE(Found(), "");
}

TEST_F(CheckExternal, LengthIsThatOfTheTensor) {
  Write(folder_ / "w.bin", 64);
  Say("length", "16");
  EXPECT_EQ(Found(), "");
  Say("length", "0");
  EXPECT_EQ(Found(), "");
  Say("length", "20");
  EXPECT_EQ(Found(), std::string("has 20 bytes in the data file 'w.bin' where "
                                 "float[1,4] takes 16 bytes") +
                         kOnlyOrt);
}

TEST_F(CheckExternal, NumbersAreDigits) {
  Write(folder_ / "w.bin", 64);
  for (const char* number :
       {"", " 16", "16 ", "+16", "-1", "0x10", "abc", "9223372036854775808"}) {
    Say("offset", number);
    EXPECT_EQ(Found(), "has '" + std::string(number) +
                           "' as the offset of its external data, which is no "
                           "number of bytes" +
                           kOnlyOrt);
  }
}

TEST_F(CheckExternal, Keys) {
  Write(folder_ / "w.bin", 16);
  Say("checksum", "abc");
  EXPECT_EQ(Found(), "");
  Say("colour", "red");
  EXPECT_EQ(Found(), std::string("has an unknown key 'colour' in its external "
                                 "data") +
                         kOnlyOrt);
}

TEST_F(CheckExternal, LocationsThatEscape) {
  Write(root_ / "w.bin", 16);
  Say("location", "../w.bin");
  EXPECT_EQ(Found(),
            "its data file '../w.bin' lies outside the model's folder");
  Say("location", "sub/../../w.bin");
  EXPECT_EQ(Found(),
            "its data file 'sub/../../w.bin' lies outside the model's folder");
  Say("location", (root_ / "w.bin").string());
  EXPECT_EQ(Found(), "its data file '" + (root_ / "w.bin").string() +
                         "' is an absolute path");
  Say("location", "");
  EXPECT_EQ(Found(), "is stored outside of the file, but doesn't say where");
}

TEST_F(CheckExternal, DotsInANameAreAnErrorOfTheChecker) {
  Write(folder_ / "w..bin", 16);
  Say("location", "w..bin");
  EXPECT_EQ(Found(),
            "its data file 'w..bin' has '..' in its name (ONNX Runtime takes "
            "it)");
}

TEST_F(CheckExternal, SymbolicLinks) {
  Write(folder_ / "data.bin", 16);
  fs::create_symlink("data.bin", folder_ / "w.bin");
  EXPECT_EQ(Found(),
            "its data file 'w.bin' is a symbolic link (ONNX Runtime takes "
            "links that stay in the folder)");
  fs::remove(folder_ / "w.bin");
  Write(root_ / "data.bin", 16);
  fs::create_symlink("../data.bin", folder_ / "w.bin");
  EXPECT_EQ(Found(),
            "its data file 'w.bin' is a symbolic link that leaves the model's "
            "folder");
}

TEST_F(CheckExternal, LinkedFolders) {
  fs::create_directory(folder_ / "real");
  Write(folder_ / "real" / "w.bin", 16);
  fs::create_directory_symlink("real", folder_ / "link");
  Say("location", "link/w.bin");
  EXPECT_EQ(Found(), "");
  fs::remove(folder_ / "link");
  fs::create_directory(root_ / "other");
  Write(root_ / "other" / "w.bin", 16);
  fs::create_directory_symlink("../other", folder_ / "link");
  EXPECT_EQ(Found(),
            "its data file 'link/w.bin' lies outside the model's folder, "
            "behind a link");
}

TEST_F(CheckExternal, HardLinks) {
  Write(folder_ / "w.bin", 16);
  fs::create_hard_link(folder_ / "w.bin", root_ / "elsewhere.bin");
  EXPECT_EQ(Found(),
            "its data file 'w.bin' has more than one hard link (ONNX Runtime "
            "takes it)");
}

TEST_F(CheckExternal, NotAFile) {
  fs::create_directory(folder_ / "w.bin");
  EXPECT_EQ(Found(), "its data file 'w.bin' is no regular file");
  fs::remove(folder_ / "w.bin");
  // Looking at a pipe must not wait for a writer.
  ASSERT_EQ(::mkfifo((folder_ / "w.bin").c_str(), 0600), 0);
  EXPECT_EQ(Found(), "its data file 'w.bin' is no regular file");
}

// Both the checker and ONNX Runtime look beside the link.
TEST_F(CheckExternal, ModelBehindALink) {
  fs::create_directory(root_ / "links");
  fs::create_symlink("../model/m.onnx", root_ / "links" / "m.onnx");
  Open(root_ / "links" / "m.onnx");
  Write(folder_ / "w.bin", 16);
  EXPECT_EQ(Found(), "its data file 'w.bin' is not there");
  Write(root_ / "links" / "w.bin", 16);
  EXPECT_EQ(Found(), "");
}

TEST_F(CheckExternal, DataInTheFileAsWell) {
  Write(folder_ / "w.bin", 16);
  model_.proto.mutable_graph()->mutable_initializer(0)->add_float_data(1);
  EXPECT_EQ(Found(),
            "is stored outside of the file, but has data in it, too (ONNX "
            "Runtime takes it)");
}

TEST_F(CheckExternal, Strings) {
  Write(folder_ / "w.bin", 16);
  model_.proto.mutable_graph()->mutable_initializer(0)->set_data_type(
      onnx::TensorProto::STRING);
  EXPECT_THAT(
      Lines(model_),
      ::testing::Contains(::testing::HasSubstr(
          "is string[1,4] and stored in the data file 'w.bin', which only "
          "numbers can be")));
}

}  // namespace
}  // namespace onnx_expose
