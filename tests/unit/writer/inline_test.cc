#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/unit/writer/weights_fixture.h"

namespace onnx_expose::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const std::string kData(kCount * 4, 'w');

class InlineTest : public WeightsTest {
 protected:
  std::string RefusedTensor(const TensorProto& tensor, ExitCode code) const {
    Save(ModelOf({tensor}));
    const std::string what =
        Refused("m.onnx", "out.onnx", Weights::kInline, code);
    EXPECT_FALSE(fs::exists(Path("out.onnx")));
    return what;
  }
};

TEST_F(InlineTest, UndoesExternalAndReference) {
  Save(EveryPlace(Raw));
  for (const Weights mode : {Weights::kReference, Weights::kExternal}) {
    Write("m.onnx", "out.onnx", mode, true);
    EXPECT_EQ(Write("out.onnx", "back.onnx", Weights::kInline, true).moved, 7U);
    EXPECT_EQ(Get("back.onnx"), Get("m.onnx"));
  }
}

TEST_F(InlineTest, GoesToAnyFolder) {
  Put("w.bin", "xx" + kData + "yy");
  Save(ModelOf({External("w", "w.bin", "2"), Raw("v")}));
  fs::create_directory(Path("other"));
  Write("m.onnx", "other/out.onnx", Weights::kInline);
  const auto weights = WeightsOf("other/out.onnx");
  EXPECT_EQ(weights.at("w"), kData);
  EXPECT_EQ(weights.at("v"), Raw("v").raw_data());
}

TEST_F(InlineTest, ReadsManyFilesAndLargeOnes) {
  std::vector<TensorProto> tensors;
  for (int i = 0; i < 1200; ++i) {  // more than may be open at once
    const std::string name = "w" + std::to_string(i);
    Put(name, std::string(kCount * 4, static_cast<char>(i)));
    tensors.push_back(External(name, name));
  }
  const std::string large(3 << 20, 'L');
  Put("large", large);
  tensors.push_back(External("large", "large", "0"));
  tensors.back().set_dims(0, 3 << 18);
  Save(ModelOf(tensors));
  Write("m.onnx", "out.onnx", Weights::kInline);
  const auto weights = WeightsOf("out.onnx");
  EXPECT_EQ(weights.at("large"), large);
  EXPECT_EQ(weights.at("w1199"), std::string(kCount * 4, '\xAF'));
}

TEST_F(InlineTest, ReadsNoFileThatTheModelHasNoBusinessWith) {
  const TemporaryFolder elsewhere;
  WriteFile(elsewhere / "secret", kData);
  fs::create_symlink(elsewhere / "secret", Path("link"));
  fs::create_directory_symlink(elsewhere.path(), Path("linked"));
  Put("one", kData);
  fs::create_hard_link(Path("one"), Path("two"));
  const auto refused = [&](const std::string& location) {
    return RefusedTensor(External("w", location), ExitCode::kOutput);
  };
  EXPECT_THAT(refused("../x"), HasSubstr("contains '..'"));
  EXPECT_THAT(refused("a/../../x"), HasSubstr("contains '..'"));
  EXPECT_THAT(refused(elsewhere / "secret"), HasSubstr("absolute"));
  EXPECT_THAT(refused("link"), HasSubstr("leaves the model's folder"));
  EXPECT_THAT(refused("linked/secret"), HasSubstr("leaves the model's folder"));
  EXPECT_THAT(refused("one"), HasSubstr("hard link"));
  EXPECT_THAT(refused(std::string("o\0ne", 4)), HasSubstr("no valid name"));
  EXPECT_THAT(refused(""), HasSubstr("has no location"));
}

TEST_F(InlineTest, LinksInsideTheFolderAreFine) {
  Put("w.bin", kData);
  fs::create_symlink("w.bin", Path("link"));
  Save(ModelOf({External("w", "link")}));
  Write("m.onnx", "out.onnx", Weights::kInline);
  EXPECT_EQ(WeightsOf("out.onnx").at("w"), kData);
}

TEST_F(InlineTest, RefusesRangesThatDoNotFit) {
  Put("w.bin", kData);
  const auto refused = [&](const TensorProto& tensor) {
    return RefusedTensor(tensor, ExitCode::kInput);
  };
  EXPECT_THAT(refused(External("w", "nowhere")), HasSubstr("can't be opened"));
  EXPECT_THAT(refused(External("w", ".")), HasSubstr("no regular file"));
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
  Write("m.onnx", "out.onnx", Weights::kInline);
  EXPECT_EQ(WeightsOf("out.onnx").at("w"), kData);
}

TEST_F(InlineTest, IsRefusedOver2GiB) {
  constexpr uint64_t kLarge = (uint64_t{2} << 30) + 1;
  Put("w.bin", "");
  fs::resize_file(Path("w.bin"), kLarge);  // a hole
  TensorProto tensor = External("w", "w.bin");
  tensor.set_data_type(TensorProto::UINT8);
  tensor.set_dims(0, kLarge);
  EXPECT_THAT(RefusedTensor(tensor, ExitCode::kOutput), HasSubstr("2 GiB"));
}

}  // namespace
}  // namespace onnx_expose::testing
