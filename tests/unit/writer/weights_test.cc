#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "tests/unit/writer/weights_fixture.h"

namespace onnx_expose::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr uint64_t kSize = kCount * 4;

TEST_F(WeightsTest, ReferencePointsIntoTheModelFromEveryPlace) {
  Save(EveryPlace(Raw));
  const WriteReport report = Write("m.onnx", "out.onnx", Weights::kReference);
  EXPECT_EQ(report.moved, 7U);
  EXPECT_EQ(report.moved_bytes, 7 * kSize);
  EXPECT_EQ(report.inline_bytes, 0U);
  EXPECT_EQ(ExternalCount("out.onnx"), 7);
  EXPECT_EQ(WeightsOf("out.onnx"), WeightsOf("m.onnx"));
  EXPECT_LT(Get("out.onnx").size(), 1000U);
  EXPECT_EQ(Names(), (std::set<std::string>{"m.onnx", "out.onnx"}));
}

TEST_F(WeightsTest, PackedFloatsAreTheirBytes) {
  Save(EveryPlace(Floats));
  Write("m.onnx", "out.onnx", Weights::kReference);
  EXPECT_EQ(ExternalCount("out.onnx"), 7);
  EXPECT_EQ(WeightsOf("out.onnx"), WeightsOf("m.onnx"));
}

TEST_F(WeightsTest, WhatIsNotTheBytesInMemoryStays) {
  TensorProto halves = Raw("halves");  // one varint for each
  halves.set_data_type(TensorProto::FLOAT16);
  halves.clear_raw_data();
  TensorProto strings = Raw("strings");
  strings.set_data_type(TensorProto::STRING);
  strings.clear_raw_data();
  for (int i = 0; i < kCount; ++i) {
    halves.add_int32_data(i);
    strings.add_string_data("text");
  }
  TensorProto wrong_size = Raw("wrong_size");
  wrong_size.set_dims(0, kCount + 1);
  TensorProto twice = Raw("twice");
  twice.add_int32_data(1);
  TensorProto small = Raw("small");
  small.set_dims(0, 1);
  small.set_raw_data("1234");
  Save(ModelOf({halves, strings, wrong_size, twice, small}));
  for (const Weights mode : {Weights::kReference, Weights::kExternal}) {
    const WriteReport report = Write("m.onnx", "out.onnx", mode, true);
    EXPECT_EQ(report.moved, 0U);
    EXPECT_GT(report.inline_bytes, 3000U);
    EXPECT_EQ(Get("out.onnx"), Get("m.onnx"));
    EXPECT_EQ(Names(), (std::set<std::string>{"m.onnx", "out.onnx"}));
  }
}

// The ONNX checker must be able to read them.
TEST_F(WeightsTest, SparseIndicesStay) {
  onnx::ModelProto model = ModelOf({});
  auto& sparse = *model.mutable_graph()->add_sparse_initializer();
  *sparse.mutable_values() = Raw("values");
  *sparse.mutable_indices() = Raw("indices");
  Save(model);
  Write("m.onnx", "out.onnx", Weights::kExternal);
  EXPECT_EQ(ExternalCount("out.onnx"), 1);
  EXPECT_EQ(WeightsOf("out.onnx"), WeightsOf("m.onnx"));
}

TEST_F(WeightsTest, ReferenceIsRefusedWhereRuntimesRefuseIt) {
  const auto refused = [&](const std::string& from, const std::string& to) {
    return Refused(from, to, Weights::kReference);
  };
  Save(ModelOf({Raw("w")}));
  fs::create_directory(Path("other"));
  EXPECT_THAT(refused("m.onnx", "other/out.onnx"), HasSubstr("another folder"));
  EXPECT_THAT(refused("m.onnx", "/dev/null"), HasSubstr("a device or pipe"));
  EXPECT_THAT(refused("m.onnx", "-"), HasSubstr("standard output"));
  Save(ModelOf({Raw("w")}), "a..b.onnx");
  EXPECT_THAT(refused("a..b.onnx", "out.onnx"), HasSubstr("'..'"));
  fs::create_symlink("m.onnx", Path("link.onnx"));
  EXPECT_THAT(refused("link.onnx", "out.onnx"), HasSubstr("symbolic link"));
  Put("text", "agraph (float[N] x) => (float[N] y) { y = Relu(x) }");
  EXPECT_THAT(refused("text", "out.onnx"), HasSubstr("it is text"));
  fs::create_hard_link(Path("m.onnx"), Path("other/m.onnx"));
  EXPECT_THAT(refused("m.onnx", "out.onnx"), HasSubstr("hard link"));
  EXPECT_FALSE(fs::exists(Path("out.onnx")));
}

TEST_F(WeightsTest, NothingPointsIntoStandardInput) {
  Save(ModelOf({Raw("w")}));
  Skeleton model = LoadModel(Path("m.onnx"));
  model.source = std::make_shared<InputFile>(
      ::open(Path("m.onnx").c_str(), O_RDONLY | O_CLOEXEC), "-");
  WriteOptions options;
  options.weights = Weights::kReference;
  const auto write = [&] { WriteModel(model, Path("out.onnx"), options); };
  EXPECT_THAT(Refusal(ExitCode::kOutput, write), HasSubstr("standard input"));
  options.weights = Weights::kExternal;
  write();
  EXPECT_EQ(WeightsOf("out.onnx"), WeightsOf("m.onnx"));
}

TEST_F(WeightsTest, ExternalAlignsEachTensorInOneFile) {
  Save(EveryPlace(Raw));
  const WriteReport report = Write("m.onnx", "out.onnx", Weights::kExternal);
  EXPECT_EQ(report.moved, 7U);
  EXPECT_EQ(WeightsOf("out.onnx"), WeightsOf("m.onnx"));
  const std::string data = Get("out.onnx.data");
  EXPECT_EQ(data.size(), 6U * 4096 + kSize);
  EXPECT_EQ(data.substr(kSize, 4096 - kSize), std::string(4096 - kSize, '\0'));
  const onnx::ModelProto out = Parsed(Get("out.onnx"));
  ForEachTensor(out, [&](const TensorProto& tensor) {
    EXPECT_EQ(ExternalEntry(tensor, "location"), "out.onnx.data");
    EXPECT_EQ(std::stoul(ExternalEntry(tensor, "offset")) % 4096, 0U);
  });
}

// A function that was copied to expose its values.
TEST_F(WeightsTest, TensorsThatShareAPayloadShareTheData) {
  Save(ModelOf({Raw("w")}));
  Skeleton model = LoadModel(Path("m.onnx"));
  auto& graph = *model.proto.mutable_graph();
  *graph.add_initializer() = TensorProto(graph.initializer(0));
  graph.mutable_initializer(1)->set_name("w_too");
  WriteOptions options;
  options.weights = Weights::kExternal;
  const WriteReport report = WriteModel(model, Path("out.onnx"), options);
  EXPECT_EQ(report.moved, 2U);
  EXPECT_EQ(report.moved_bytes, kSize);
  EXPECT_EQ(report.inline_bytes, 0U);
  EXPECT_EQ(Get("out.onnx.data"), Raw("w").raw_data());
  EXPECT_EQ(WeightsOf("out.onnx").at("w_too"), Raw("w").raw_data());
}

TEST_F(WeightsTest, ExternalOverwritesOnlyWithForce) {
  Save(ModelOf({Raw("w")}));
  Put("out.onnx.data", "precious");
  EXPECT_THAT(Refused("m.onnx", "out.onnx", Weights::kExternal),
              HasSubstr("exists already"));
  EXPECT_EQ(Get("out.onnx.data"), "precious");
  EXPECT_FALSE(fs::exists(Path("out.onnx")));
  Write("m.onnx", "out.onnx", Weights::kExternal, /*force=*/true);
  EXPECT_EQ(WeightsOf("out.onnx"), WeightsOf("m.onnx"));
}

TEST_F(WeightsTest, ExternalNeverReplacesTheModelOrItsData) {
  const auto refused = [&](const std::string& from, const std::string& to) {
    return Refused(from, to, Weights::kExternal, ExitCode::kOutput,
                   /*force=*/true);
  };
  Put("a.data", std::string(kSize, 'd'));
  Save(ModelOf({External("w", "./a.data"), Raw("v")}));
  EXPECT_THAT(refused("m.onnx", "a"), HasSubstr("has already"));
  EXPECT_EQ(Get("a.data"), std::string(kSize, 'd'));
  // Not even when it isn't there: the model would read the wrong one.
  fs::remove(Path("a.data"));
  EXPECT_THAT(refused("m.onnx", "a"), HasSubstr("has already"));

  Save(ModelOf({Raw("w")}), "b.data");
  EXPECT_THAT(refused("b.data", "b"), HasSubstr("the model itself"));
  fs::create_directory(Path("c.data"));
  EXPECT_THAT(refused("b.data", "c"), HasSubstr("is a folder"));
  fs::create_symlink("/dev/null", Path("d.data"));
  EXPECT_THAT(refused("b.data", "d"), HasSubstr("no regular file"));
  EXPECT_THAT(refused("b.data", "e..onnx"), HasSubstr("'..'"));
  EXPECT_THAT(refused("b.data", "-"), HasSubstr("standard output"));
}

TEST_F(WeightsTest, DataThatIsExternalStaysSo) {
  Put("w.bin", std::string(kSize, 'w'));
  Save(ModelOf({External("w", "w.bin", "0", std::to_string(kSize)), Raw("v")}));
  for (const Weights mode : {Weights::kReference, Weights::kExternal}) {
    EXPECT_EQ(Write("m.onnx", "out.onnx", mode, true).moved, 1U);
    EXPECT_EQ(WeightsOf("out.onnx"), WeightsOf("m.onnx"));
  }
}

// Whichever of the two files doesn't fit.
TEST_F(WeightsTest, BothFilesAppearOrNone) {
  onnx::ModelProto model = ModelOf({Raw("w")});
  model.set_doc_string(std::string(kCount * 2, 'd'));
  Save(model);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const rlim_t limit : {rlim_t{1000}, rlim_t{kCount * 3}}) {
    const rlimit tight = {limit, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
    const std::string what = Refused("m.onnx", "out.onnx", Weights::kExternal);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_THAT(what, HasSubstr("can't be written"));
    EXPECT_EQ(Names(), std::set<std::string>{"m.onnx"});
  }
  std::signal(SIGXFSZ, handler);
}

TEST_F(WeightsTest, CopyModelLeavesWeightsWhereTheyAre) {
  Save(ModelOf({Raw("w")}));
  WriteOptions options;
  options.weights = Weights::kExternal;
  CopyModel(LoadModel(Path("m.onnx")), Path("out.onnx"), options);
  EXPECT_EQ(Get("out.onnx"), Get("m.onnx"));
  EXPECT_EQ(Names(), (std::set<std::string>{"m.onnx", "out.onnx"}));
}

}  // namespace
}  // namespace onnx_expose::testing
