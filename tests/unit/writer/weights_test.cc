#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "onnx_expose/error.h"
#include "onnx_expose/loader.h"
#include "onnx_expose/writer.h"
#include "src/model/tensors.h"
#include "tests/unit/writer/temp_folder.h"

namespace onnx_expose {
namespace {

namespace fs = std::filesystem;
using onnx::TensorProto;
using ::testing::HasSubstr;
using testing::TempFolder;

constexpr int kCount = 600;  // elements, so that every tensor is a payload

// As raw_data; each tensor has other bytes.
TensorProto Raw(const std::string& name) {
  TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(TensorProto::FLOAT);
  tensor.add_dims(kCount);
  std::string bytes(kCount * sizeof(float), '\0');
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>((i * 7 + name.size() * 31 + i / 256) & 0x3F);
  }
  tensor.set_raw_data(bytes);
  return tensor;
}

TensorProto Floats(const std::string& name) {
  TensorProto tensor = Raw(name);
  tensor.clear_raw_data();
  for (int i = 0; i < kCount; ++i) {
    tensor.add_float_data(static_cast<float>(i) / 3);
  }
  return tensor;
}

TensorProto External(const std::string& name, const std::string& location,
                     const std::string& offset = "",
                     const std::string& length = "") {
  TensorProto tensor = Raw(name);
  tensor.clear_raw_data();
  tensor.set_data_location(TensorProto::EXTERNAL);
  const auto add = [&](const char* key, const std::string& value) {
    if (value.empty()) return;
    auto& entry = *tensor.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  };
  add("location", location);
  add("offset", offset);
  add("length", length);
  return tensor;
}

onnx::NodeProto Constant(const TensorProto& value) {
  onnx::NodeProto node;
  node.set_op_type("Constant");
  node.add_output(value.name() + "_out");
  auto& attribute = *node.add_attribute();
  attribute.set_name("value");
  attribute.set_type(onnx::AttributeProto::TENSOR);
  *attribute.mutable_t() = value;
  return node;
}

onnx::ModelProto ModelOf(const std::vector<TensorProto>& initializers) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  model.mutable_graph()->set_name("g");
  for (const TensorProto& tensor : initializers) {
    *model.mutable_graph()->add_initializer() = tensor;
  }
  return model;
}

// One tensor wherever a model can have one.
onnx::ModelProto EveryPlace(
    const std::function<TensorProto(std::string)>& make) {
  onnx::ModelProto model = ModelOf({make("initializer")});
  *model.mutable_graph()->add_node() = Constant(make("attribute"));
  auto& body = *model.mutable_graph()->add_node()->add_attribute();
  body.set_name("then_branch");
  body.set_type(onnx::AttributeProto::GRAPH);
  *body.mutable_g()->add_initializer() = make("body");
  *body.mutable_g()->add_node() = Constant(make("body_attribute"));
  *model.add_functions()->add_node() = Constant(make("function"));
  *model.add_training_info()->mutable_algorithm()->add_initializer() =
      make("training");
  auto& sparse = *model.mutable_graph()->add_sparse_initializer();
  *sparse.mutable_values() = make("sparse_values");
  return model;
}

// Name -> bytes in memory, from wherever they are.
std::map<std::string, std::string> Bytes(const TempFolder& folder,
                                         const std::string& name) {
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(folder.Read(name)));
  std::map<std::string, std::string> all;
  ForEachTensor(std::as_const(model), [&](const TensorProto& tensor) {
    std::string& bytes = all[tensor.name()];
    if (IsExternal(tensor)) {
      bytes = folder.Read(ExternalEntry(tensor, "location"))
                  .substr(std::stoul(ExternalEntry(tensor, "offset")),
                          std::stoul(ExternalEntry(tensor, "length")));
    } else if (tensor.has_raw_data()) {
      bytes = tensor.raw_data();
    } else {
      bytes.resize(static_cast<size_t>(tensor.float_data_size()) * 4);
      std::memcpy(bytes.data(), tensor.float_data().data(), bytes.size());
    }
  });
  return all;
}

int ExternalCount(const TempFolder& folder, const std::string& name) {
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(folder.Read(name)));
  int count = 0;
  ForEachTensor(std::as_const(model), [&](const TensorProto& tensor) {
    count += IsExternal(tensor) ? 1 : 0;
  });
  return count;
}

WriteReport Write(const std::string& from, const std::string& to,
                  Weights weights, bool force = false) {
  WriteOptions options;
  options.weights = weights;
  options.force = force;
  return WriteModel(LoadModel(from), to, options);
}

// What the refusal says, note included.
std::string Refusal(ExitCode code, const std::function<void()>& write) {
  try {
    write();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.message().what + "; " + error.message().note;
  }
  ADD_FAILURE() << "not refused";
  return "";
}

class WeightsTest : public ::testing::Test {
 protected:
  std::string Save(const onnx::ModelProto& model,
                   const std::string& name = "m.onnx") {
    return folder_.Write(name, model.SerializeAsString());
  }
  std::string Out() const { return folder_ / "out.onnx"; }

  TempFolder folder_;
};

TEST_F(WeightsTest, ReferencePointsIntoTheModelFromEveryPlace) {
  const std::string model = Save(EveryPlace(Raw));
  const WriteReport report = Write(model, Out(), Weights::kReference);
  EXPECT_EQ(report.moved, 7U);
  EXPECT_EQ(report.moved_bytes, 7U * kCount * 4);
  EXPECT_EQ(report.inline_bytes, 0U);
  EXPECT_EQ(ExternalCount(folder_, "out.onnx"), 7);
  EXPECT_EQ(Bytes(folder_, "out.onnx"), Bytes(folder_, "m.onnx"));
  EXPECT_LT(folder_.Read("out.onnx").size(), 1000U);
  EXPECT_EQ(folder_.Names(), (std::set<std::string>{"m.onnx", "out.onnx"}));
}

TEST_F(WeightsTest, PackedFloatsAreTheirBytes) {
  Save(EveryPlace(Floats));
  Write(folder_ / "m.onnx", Out(), Weights::kReference);
  EXPECT_EQ(ExternalCount(folder_, "out.onnx"), 7);
  EXPECT_EQ(Bytes(folder_, "out.onnx"), Bytes(folder_, "m.onnx"));
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
  const auto model = ModelOf({halves, strings, wrong_size, twice, small});
  Save(model);
  for (const Weights mode : {Weights::kReference, Weights::kExternal}) {
    const WriteReport report = Write(folder_ / "m.onnx", Out(), mode, true);
    EXPECT_EQ(report.moved, 0U);
    EXPECT_GT(report.inline_bytes, 3000U);
    EXPECT_EQ(folder_.Read("out.onnx"), folder_.Read("m.onnx"));
    EXPECT_FALSE(folder_.Names().contains("out.onnx.data"));
  }
}

// The ONNX checker must be able to read them.
TEST_F(WeightsTest, SparseIndicesStay) {
  onnx::ModelProto model = ModelOf({});
  auto& sparse = *model.mutable_graph()->add_sparse_initializer();
  *sparse.mutable_values() = Raw("values");
  *sparse.mutable_indices() = Raw("indices");
  Save(model);
  Write(folder_ / "m.onnx", Out(), Weights::kExternal);
  EXPECT_EQ(ExternalCount(folder_, "out.onnx"), 1);
  EXPECT_EQ(Bytes(folder_, "out.onnx"), Bytes(folder_, "m.onnx"));
}

TEST_F(WeightsTest, ReferenceIsRefusedWhereRuntimesRefuseIt) {
  const std::string model = Save(ModelOf({Raw("w")}));
  const auto refused = [&](const std::string& from, const std::string& to) {
    return Refusal(ExitCode::kOutput,
                   [&] { Write(from, to, Weights::kReference); });
  };
  fs::create_directory(folder_ / "other");
  EXPECT_THAT(refused(model, folder_ / "other/out.onnx"),
              HasSubstr("another folder"));
  EXPECT_THAT(refused(model, "/dev/null"), HasSubstr("a device or pipe"));
  EXPECT_THAT(refused(model, "-"), HasSubstr("standard output"));
  EXPECT_THAT(refused(Save(ModelOf({Raw("w")}), "a..b.onnx"), Out()),
              HasSubstr("'..'"));
  fs::create_symlink("m.onnx", folder_ / "link.onnx");
  EXPECT_THAT(refused(folder_ / "link.onnx", Out()),
              HasSubstr("symbolic link"));
  EXPECT_THAT(refused(folder_.Write("m.onnxtxt",
                                    "agraph (float[N] x) => (float[N] y)"
                                    " { y = Relu(x) }"),
                      Out()),
              HasSubstr("it is text"));
  fs::create_hard_link(model, folder_ / "other/m.onnx");
  EXPECT_THAT(refused(model, Out()), HasSubstr("hard link"));
  EXPECT_FALSE(folder_.Names().contains("out.onnx"));
}

TEST_F(WeightsTest, NothingPointsIntoStandardInput) {
  Save(ModelOf({Raw("w")}));
  Skeleton model = LoadModel(folder_ / "m.onnx");
  model.source = std::make_shared<InputFile>(
      ::open((folder_ / "m.onnx").c_str(), O_RDONLY | O_CLOEXEC), "-");
  WriteOptions options;
  options.weights = Weights::kReference;
  EXPECT_THAT(
      Refusal(ExitCode::kOutput, [&] { WriteModel(model, Out(), options); }),
      HasSubstr("standard input"));
  options.weights = Weights::kExternal;
  WriteModel(model, Out(), options);
  EXPECT_EQ(Bytes(folder_, "out.onnx"), Bytes(folder_, "m.onnx"));
}

TEST_F(WeightsTest, ExternalAlignsEachTensorInOneFile) {
  Save(EveryPlace(Raw));
  const WriteReport report =
      Write(folder_ / "m.onnx", Out(), Weights::kExternal);
  EXPECT_EQ(report.moved, 7U);
  EXPECT_EQ(Bytes(folder_, "out.onnx"), Bytes(folder_, "m.onnx"));
  const std::string data = folder_.Read("out.onnx.data");
  EXPECT_EQ(data.size(), 6U * 4096 + kCount * 4);
  EXPECT_EQ(data.substr(kCount * 4, 4096 - kCount * 4),
            std::string(4096 - kCount * 4, '\0'));
  onnx::ModelProto out;
  ASSERT_TRUE(out.ParseFromString(folder_.Read("out.onnx")));
  ForEachTensor(std::as_const(out), [&](const TensorProto& tensor) {
    EXPECT_EQ(ExternalEntry(tensor, "location"), "out.onnx.data");
    EXPECT_EQ(std::stoul(ExternalEntry(tensor, "offset")) % 4096, 0U);
  });
}

TEST_F(WeightsTest, ExternalOverwritesOnlyWithForce) {
  Save(ModelOf({Raw("w")}));
  folder_.Write("out.onnx.data", "precious");
  EXPECT_THAT(
      Refusal(ExitCode::kOutput,
              [&] { Write(folder_ / "m.onnx", Out(), Weights::kExternal); }),
      HasSubstr("exists already"));
  EXPECT_EQ(folder_.Read("out.onnx.data"), "precious");
  EXPECT_FALSE(folder_.Names().contains("out.onnx"));
  Write(folder_ / "m.onnx", Out(), Weights::kExternal, /*force=*/true);
  EXPECT_EQ(Bytes(folder_, "out.onnx"), Bytes(folder_, "m.onnx"));
}

TEST_F(WeightsTest, ExternalNeverReplacesTheModelOrItsData) {
  const std::string data(kCount * 4, 'd');
  const auto refused = [&](const std::string& model, const std::string& out) {
    return Refusal(ExitCode::kOutput, [&] {
      Write(model, folder_ / out, Weights::kExternal, /*force=*/true);
    });
  };
  folder_.Write("a.data", data);
  const std::string external =
      Save(ModelOf({External("w", "./a.data"), Raw("v")}));
  EXPECT_THAT(refused(external, "a"), HasSubstr("has already"));
  EXPECT_EQ(folder_.Read("a.data"), data);
  // Not even when it isn't there: the model would read the wrong one.
  fs::remove(folder_ / "a.data");
  EXPECT_THAT(refused(external, "a"), HasSubstr("has already"));
  const std::string model = Save(ModelOf({Raw("w")}), "b.data");
  EXPECT_THAT(refused(model, "b"), HasSubstr("the model itself"));
  fs::create_directory(folder_ / "c.data");
  EXPECT_THAT(refused(model, "c"), HasSubstr("is a folder"));
  fs::create_symlink("/dev/null", folder_ / "d.data");
  EXPECT_THAT(refused(model, "d"), HasSubstr("no regular file"));
  EXPECT_THAT(refused(model, "e..onnx"), HasSubstr("'..'"));
}

TEST_F(WeightsTest, DataThatIsExternalStaysSo) {
  folder_.Write("w.bin", std::string(kCount * 4, 'w'));
  Save(ModelOf(
      {External("w", "w.bin", "0", std::to_string(kCount * 4)), Raw("v")}));
  for (const Weights mode : {Weights::kReference, Weights::kExternal}) {
    const WriteReport report = Write(folder_ / "m.onnx", Out(), mode, true);
    EXPECT_EQ(report.moved, 1U);
    EXPECT_EQ(Bytes(folder_, "out.onnx"), Bytes(folder_, "m.onnx"));
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
  for (const rlim_t limit : {1000, kCount * 3}) {
    const rlimit tight = {limit, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
    const std::string what = Refusal(ExitCode::kOutput, [&] {
      Write(folder_ / "m.onnx", Out(), Weights::kExternal);
    });
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_THAT(what, HasSubstr("can't be written"));
    EXPECT_EQ(folder_.Names(), std::set<std::string>{"m.onnx"});
  }
  std::signal(SIGXFSZ, handler);
}

TEST_F(WeightsTest, InlineUndoesExternalAndReference) {
  const onnx::ModelProto original = EveryPlace(Raw);
  Save(original);
  for (const Weights mode : {Weights::kReference, Weights::kExternal}) {
    Write(folder_ / "m.onnx", Out(), mode, true);
    const WriteReport report =
        Write(Out(), folder_ / "back.onnx", Weights::kInline, true);
    EXPECT_EQ(report.moved, 7U);
    EXPECT_EQ(folder_.Read("back.onnx"), original.SerializeAsString());
  }
}

TEST_F(WeightsTest, InlineGoesToAnyFolder) {
  folder_.Write("w.bin", "xx" + std::string(kCount * 4, 'w') + "yy");
  Save(ModelOf({External("w", "w.bin", "2"), Raw("v")}));
  fs::create_directory(folder_ / "other");
  Write(folder_ / "m.onnx", folder_ / "other/out.onnx", Weights::kInline);
  const auto bytes = Bytes(folder_, "other/out.onnx");
  EXPECT_EQ(bytes.at("w"), std::string(kCount * 4, 'w'));
  EXPECT_EQ(bytes.at("v"), Raw("v").raw_data());
}

TEST_F(WeightsTest, InlineReadsManyFilesAndLargeOnes) {
  std::vector<TensorProto> tensors;
  for (int i = 0; i < 1200; ++i) {  // more than may be open at once
    const std::string name = "w" + std::to_string(i);
    folder_.Write(name, std::string(kCount * 4, static_cast<char>(i)));
    tensors.push_back(External(name, name));
  }
  const std::string large(3 << 20, 'L');
  folder_.Write("large", large);
  tensors.push_back(External("large", "large", "0"));
  tensors.back().set_dims(0, 3 << 18);
  Save(ModelOf(tensors));
  Write(folder_ / "m.onnx", Out(), Weights::kInline);
  const auto bytes = Bytes(folder_, "out.onnx");
  EXPECT_EQ(bytes.at("large"), large);
  EXPECT_EQ(bytes.at("w1199"), std::string(kCount * 4, '\xAF'));
}

TEST_F(WeightsTest, InlineReadsNoFileThatTheModelHasNoBusinessWith) {
  const std::string data(kCount * 4, 's');
  const TempFolder elsewhere;
  const std::string secret = elsewhere.Write("secret", data);
  fs::create_symlink(secret, folder_ / "link");
  fs::create_directory_symlink(fs::path(secret).parent_path(),
                               folder_ / "linked");
  folder_.Write("one", data);
  fs::create_hard_link(folder_ / "one", folder_ / "two");
  const auto refused = [&](ExitCode code, const TensorProto& tensor) {
    const std::string model = Save(ModelOf({tensor}));
    const std::string what =
        Refusal(code, [&] { Write(model, Out(), Weights::kInline); });
    EXPECT_FALSE(folder_.Names().contains("out.onnx"));
    return what;
  };
  const auto escape = [&](const std::string& location) {
    return refused(ExitCode::kOutput, External("w", location));
  };
  EXPECT_THAT(escape("../x"), HasSubstr("contains '..'"));
  EXPECT_THAT(escape("a/../../x"), HasSubstr("contains '..'"));
  EXPECT_THAT(escape(secret), HasSubstr("absolute"));
  EXPECT_THAT(escape("link"), HasSubstr("leaves the model's folder"));
  EXPECT_THAT(escape("linked/secret"), HasSubstr("leaves the model's folder"));
  EXPECT_THAT(escape("one"), HasSubstr("hard link"));
  EXPECT_THAT(escape(std::string("o\0ne", 4)), HasSubstr("no valid name"));
  EXPECT_THAT(escape(""), HasSubstr("has no location"));
  const auto invalid = [&](const TensorProto& tensor) {
    return refused(ExitCode::kInput, tensor);
  };
  EXPECT_THAT(invalid(External("w", "nowhere")), HasSubstr("can't be opened"));
  EXPECT_THAT(invalid(External("w", ".")), HasSubstr("no regular file"));
}

TEST_F(WeightsTest, InlineRefusesRangesThatDoNotFit) {
  folder_.Write("w.bin", std::string(kCount * 4, 'w'));
  const auto refused = [&](const TensorProto& tensor) {
    const std::string model = Save(ModelOf({tensor}));
    return Refusal(ExitCode::kInput,
                   [&] { Write(model, Out(), Weights::kInline); });
  };
  EXPECT_THAT(refused(External("w", "w.bin", "1")),
              HasSubstr("needs 2400 bytes from byte 1"));
  EXPECT_THAT(refused(External("w", "w.bin", "18446744073709551615")),
              HasSubstr("which has 2400 bytes"));
  EXPECT_THAT(refused(External("w", "w.bin", "0", "12")),
              HasSubstr("has 12 bytes in a data file and takes 2400 bytes"));
  EXPECT_THAT(refused(External("w", "w.bin", "-1")), HasSubstr("'-1'"));
  TensorProto strings = External("w", "w.bin");
  strings.set_data_type(TensorProto::STRING);
  EXPECT_THAT(refused(strings), HasSubstr("strings"));
  // A length of 0 says nothing.
  Save(ModelOf({External("w", "w.bin", "0", "0")}));
  Write(folder_ / "m.onnx", Out(), Weights::kInline);
  EXPECT_EQ(Bytes(folder_, "out.onnx").at("w").size(), kCount * 4U);
}

TEST_F(WeightsTest, InlineIsRefusedOver2GiB) {
  const int64_t size = (int64_t{2} << 30) + 1;
  folder_.Write("w.bin", "");
  fs::resize_file(folder_ / "w.bin", static_cast<uint64_t>(size));  // a hole
  TensorProto tensor = External("w", "w.bin");
  tensor.set_data_type(TensorProto::UINT8);
  tensor.set_dims(0, size);
  Save(ModelOf({tensor}));
  EXPECT_THAT(
      Refusal(ExitCode::kOutput,
              [&] { Write(folder_ / "m.onnx", Out(), Weights::kInline); }),
      HasSubstr("2 GiB"));
  EXPECT_FALSE(folder_.Names().contains("out.onnx"));
}

TEST_F(WeightsTest, CopyModelLeavesWeightsWhereTheyAre) {
  const std::string model = Save(ModelOf({Raw("w")}));
  WriteOptions options;
  options.weights = Weights::kExternal;
  CopyModel(LoadModel(model), Out(), options);
  EXPECT_EQ(folder_.Read("out.onnx"), folder_.Read("m.onnx"));
  EXPECT_EQ(folder_.Names(), (std::set<std::string>{"m.onnx", "out.onnx"}));
}

}  // namespace
}  // namespace onnx_expose
