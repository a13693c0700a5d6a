#include "onnx_expose/loader.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "onnx_expose/error.h"
#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kText[] =
    "<ir_version: 8, opset_import: [\"\" : 17]>\n"
    "g (float[N] x) => (float[N] y) { y = Relu (x) }";

Error Complaint(const std::string& path) {
  try {
    LoadModel(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kInput);
    return error;
  }
  return {ExitCode::kDone, "", {"none", "", ""}};
}

Error ComplaintAbout(const std::string& bytes) {
  const TemporaryFolder folder;
  WriteFile(folder / "m.onnx", bytes);
  return Complaint(folder / "m.onnx");
}

TEST(Loader, SaysWhatTheFileIsInstead) {
  const std::vector<std::pair<std::string, std::string>> strangers = {
      {"version https://git-lfs.github.com/spec/v1\noid", "a Git LFS pointer"},
      {"\x1f\x8b\x08 and so on", "gzip data"},
      {"PK\x03\x04 and so on", "a zip archive"},
      {"\x28\xb5\x2f\xfd", "zstd data"},
      {std::string(257, 'n') + "ustar", "a tar archive"},
      {std::string("\x1c\0\0\0ORTM", 8), "an ORT format model"},
      {std::string("\x1c\0\0\0TFL3", 8), "a TensorFlow Lite model"},
      {"\x80\x02}q\x01", "a Python pickle"},
      {"\x93NUMPY\x01", "a numpy array"},
      {std::string(500, '\0'), "filled with zero bytes"},
      {"\n<!DOCTYPE html><html>", "an HTML page"},
      {"{\"model\": 1}", "a JSON file"},
      {"<?xml version=\"1.0\"?>", "an XML file"},
      {"just some words", "a text file"},
  };
  for (const auto& [bytes, what] : strangers) {
    EXPECT_THAT(ComplaintAbout(bytes).message().what, HasSubstr("is " + what));
  }
}

TEST(Loader, SaysWhyAFileCannotBeRead) {
  const TemporaryFolder folder;
  EXPECT_THAT(Complaint(folder / "no.onnx").message().what,
              HasSubstr("can't be opened: No such file"));
  EXPECT_THAT(Complaint(folder.path()).message().what,
              HasSubstr("is a folder"));
  EXPECT_THAT(ComplaintAbout("").message().what, HasSubstr("is empty"));
  // Valid protobuf, and no model: a tensor that was saved.
  onnx::TensorProto tensor;
  tensor.add_dims(300);
  tensor.set_data_type(1);
  const Error error = ComplaintAbout(tensor.SerializeAsString());
  EXPECT_THAT(error.message().what, HasSubstr("no graph"));
  EXPECT_THAT(error.message().note, HasSubstr("saved tensor"));
}

TEST(Loader, ReadsOnnxText) {
  const Skeleton model = Load(kText);
  EXPECT_TRUE(model.from_text);
  EXPECT_EQ(model.proto.graph().node(0).op_type(), "Relu");
  EXPECT_FALSE(Load(Bytes(FromText(kText))).from_text);
  EXPECT_THAT(ComplaintAbout("<ir_version: 8>\ng (float x) => (y) { y = }")
                  .message()
                  .what,
              HasSubstr("is not a model in ONNX text syntax"));
}

TEST(Loader, ReadsProtobufText) {
  const Skeleton model =
      Load("# a comment\nir_version: 8\ngraph { node { op_type: \"Relu\" } }");
  EXPECT_TRUE(model.from_text);
  EXPECT_EQ(model.proto.graph().node(0).op_type(), "Relu");
  const Error error = ComplaintAbout("ir_version: 8\ngraf { }");
  EXPECT_THAT(error.message().what, HasSubstr("protobuf text format"));
  EXPECT_THAT(error.message().note, HasSubstr("line 2, column"));
}

TEST(Loader, ReadsPipes) {
  const std::string bytes = Bytes(FromText(kText));
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::thread writer([&] {
    EXPECT_EQ(::write(ends[1], bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
    ::close(ends[1]);
  });
  const Skeleton model = LoadModel("/proc/self/fd/" + std::to_string(ends[0]));
  writer.join();
  ::close(ends[0]);
  EXPECT_TRUE(Written(model) == bytes);
}

TEST(Loader, ReadsStandardInput) {
  const std::string bytes = Bytes(FromText(kText));
  const auto file = MemoryFile(bytes);
  const int before = ::dup(STDIN_FILENO);
  ::dup2(file->fd(), STDIN_FILENO);
  ::lseek(STDIN_FILENO, 0, SEEK_SET);
  const Skeleton model = LoadModel("-");
  ::dup2(before, STDIN_FILENO);
  ::close(before);
  EXPECT_TRUE(model.source->is_stdin());
  EXPECT_TRUE(Written(model) == bytes);
}

TEST(Loader, NoticesAFileThatChanges) {
  const TemporaryFolder folder;
  const std::string path = folder / "m.onnx";
  WriteFile(path, Bytes(FromText(kText)));
  const Skeleton model = LoadModel(path);
  EXPECT_FALSE(model.source->HasChanged());
  WriteFile(path, "shorter");
  EXPECT_TRUE(model.source->HasChanged());
}

}  // namespace
}  // namespace onnx_expose::testing
