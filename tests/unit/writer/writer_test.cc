#include "onnx_expose/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "onnx_expose/error.h"
#include "onnx_expose/loader.h"
#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kText[] =
    "<ir_version: 8, opset_import: [\"\" : 17]>"
    "g (float[1] x) => (float[1] y) {y = Relu(x)}";

class WriterTest : public ::testing::Test {
 protected:
  WriterTest() { WriteFile(path_, bytes_); }

  // What WriteModel says against the path, which it must not touch.
  std::string Refusal(const std::string& path,
                      const WriteOptions& options = {}) {
    const Skeleton model = LoadModel(path_);
    try {
      WriteModel(model, path, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kOutput);
      EXPECT_EQ(ReadFile(path_), bytes_);
      return error.message().what;
    }
    return "none";
  }
  int64_t Files() const {
    return std::distance(fs::directory_iterator(folder_.path()), {});
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "m.onnx";
  const std::string bytes_ = Bytes(FromText(kText));
};

TEST_F(WriterTest, WritesNewFiles) {
  WriteModel(LoadModel(path_), folder_ / "out.onnx", {});
  EXPECT_EQ(ReadFile(folder_ / "out.onnx"), bytes_);
  CopyModel(LoadModel(path_), folder_ / "copy.onnx", {});
  EXPECT_EQ(ReadFile(folder_ / "copy.onnx"), bytes_);
  EXPECT_EQ(Files(), 3);
}

TEST_F(WriterTest, ReplacesOnlyWithForce) {
  WriteFile(folder_ / "out.onnx", "old");
  fs::create_symlink("nowhere", folder_ / "dangling");
  EXPECT_EQ(Refusal(folder_ / "out.onnx"), "exists already");
  EXPECT_EQ(Refusal(folder_ / "dangling"), "exists already");
  EXPECT_EQ(ReadFile(folder_ / "out.onnx"), "old");
  WriteOptions options;
  options.force = true;
  WriteModel(LoadModel(path_), folder_ / "out.onnx", options);
  EXPECT_EQ(ReadFile(folder_ / "out.onnx"), bytes_);
}

TEST_F(WriterTest, NeverReplacesTheModel) {
  WriteOptions options;
  options.force = true;
  fs::create_symlink("m.onnx", folder_ / "link");
  fs::create_hard_link(path_, folder_ / "hard");
  const std::string name = fs::path(folder_.path()).filename();
  for (const std::string& path :
       {path_, folder_ / "link", folder_ / "hard", folder_ / "./m.onnx",
        folder_ / ("../" + name + "/m.onnx")}) {
    EXPECT_EQ(Refusal(path, options), "is the model itself") << path;
  }
}

TEST_F(WriterTest, RefusesPlacesThatAreNone) {
  EXPECT_EQ(Refusal(folder_.path()), "is a folder");
  EXPECT_THAT(Refusal(folder_ / "no/out.onnx"), HasSubstr("can't be used"));
  EXPECT_THAT(Refusal(path_ + "/out.onnx"), HasSubstr("is not a folder"));
  EXPECT_EQ(Files(), 1);
}

TEST_F(WriterTest, WritesDevicesStraight) {
  EXPECT_EQ(Refusal("/dev/null"), "none");
  EXPECT_THAT(Refusal("/dev/full"), HasSubstr("No space left on device"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(WriterTest, NothingIsLeftWhenTheModelChanges) {
  const Skeleton model = LoadModel(path_);
  WriteFile(path_, bytes_ + bytes_);
  try {
    WriteModel(model, folder_ / "out.onnx", {});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kInput);
    EXPECT_THAT(error.message().what, HasSubstr("changed while it was read"));
  }
  EXPECT_EQ(Files(), 1);
}

TEST_F(WriterTest, DataFilesStayWhereTheyAreFound) {
  onnx::ModelProto proto = FromText(kText);
  for (const char* location : {"w.bin", "sub/v.bin", "w.bin"}) {
    auto& tensor = *proto.mutable_graph()->add_initializer();
    tensor.set_data_type(1);
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    auto& entry = *tensor.add_external_data();
    entry.set_key("location");
    entry.set_value(location);
  }
  WriteFile(path_, Bytes(proto));
  fs::create_directory(folder_ / "sub");
  WriteFile(folder_ / "w.bin", "w");
  WriteFile(folder_ / "sub/v.bin", "v");
  const Skeleton model = LoadModel(path_);
  EXPECT_THAT(ExternalLocations(model), ElementsAre("w.bin", "sub/v.bin"));

  const TemporaryFolder other;
  EXPECT_THROW(WriteModel(model, other / "out.onnx", {}), Error);
  EXPECT_FALSE(fs::exists(other / "out.onnx"));
  WriteOptions options;
  options.force = true;
  EXPECT_THROW(WriteModel(model, folder_ / "w.bin", options), Error);
  options.copy_data = true;
  WriteModel(model, other / "out.onnx", options);
  EXPECT_EQ(ReadFile(other / "w.bin"), "w");
  EXPECT_EQ(ReadFile(other / "sub/v.bin"), "v");

  WriteDepfile(model, "out dir/a$b.onnx", folder_ / "out.d");
  const std::string rule = ReadFile(folder_ / "out.d");
  EXPECT_EQ(rule.rfind("out\\ dir/a$$b.onnx: \\\n  " + path_ + " \\\n", 0), 0U);
  EXPECT_THAT(rule, HasSubstr("/sub/v.bin:\n"));
}

}  // namespace
}  // namespace onnx_expose::testing
