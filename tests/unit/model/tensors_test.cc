#include "model/tensors.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <string>

#include "onnx_expose/loader.h"
#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

TEST(Tensors, AreVisitedWhereverTheyAre) {
  onnx::ModelProto model;
  std::set<const onnx::TensorProto*> there;
  const auto fill = [&](onnx::NodeProto& node) {
    auto& attribute = *node.add_attribute();
    there.insert(attribute.mutable_t());
    there.insert(attribute.add_tensors());
    there.insert(attribute.mutable_sparse_tensor()->mutable_values());
    there.insert(attribute.add_sparse_tensors()->mutable_indices());
    there.insert(attribute.mutable_g()->add_initializer());
    there.insert(attribute.add_graphs()->add_initializer());
  };
  auto& graph = *model.mutable_graph();
  there.insert(graph.add_initializer());
  there.insert(graph.add_sparse_initializer()->mutable_values());
  fill(*graph.add_node());
  fill(*graph.add_node()->add_attribute()->mutable_g()->add_node());
  auto& function = *model.add_functions();
  fill(*function.add_node());
  there.insert(function.add_attribute_proto()->mutable_t());
  auto& training = *model.add_training_info();
  there.insert(training.mutable_initialization()->add_initializer());
  there.insert(training.mutable_algorithm()->add_initializer());

  std::set<const onnx::TensorProto*> seen;
  ForEachTensor(static_cast<const onnx::ModelProto&>(model),
                [&](const onnx::TensorProto& tensor) { seen.insert(&tensor); });
  EXPECT_EQ(seen, there);
  int renamed = 0;
  ForEachTensor(model, [&](onnx::TensorProto& tensor) {
    tensor.set_name(std::to_string(renamed++));
  });
  EXPECT_EQ(renamed, static_cast<int>(there.size()));
}

TEST(Tensors, BytesComeFromDimsAndType) {
  onnx::TensorProto tensor;
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  EXPECT_EQ(TensorBytes(tensor), 4U);
  tensor.add_dims(3);
  tensor.add_dims(5);
  EXPECT_EQ(TensorBytes(tensor), 60U);
  tensor.set_data_type(onnx::TensorProto::INT4);
  EXPECT_EQ(TensorBytes(tensor), 8U);  // 15 halves
  tensor.set_data_type(onnx::TensorProto::STRING);
  EXPECT_FALSE(TensorBytes(tensor));
  tensor.set_data_type(onnx::TensorProto::DOUBLE);
  tensor.add_dims(int64_t{1} << 62);
  EXPECT_FALSE(TensorBytes(tensor));
  tensor.add_dims(-1);
  EXPECT_FALSE(TensorBytes(tensor));
  tensor.add_dims(0);
  tensor.set_dims(3, 2);
  EXPECT_FALSE(TensorBytes(tensor).value_or(0));
}

TEST(Tensors, KnowTheirExternalData) {
  onnx::TensorProto tensor;
  EXPECT_EQ(ExternalEntry(tensor, "location"), "");
  auto& entry = *tensor.add_external_data();
  entry.set_key("location");
  entry.set_value("w.bin");
  EXPECT_EQ(ExternalEntry(tensor, "location"), "w.bin");
  EXPECT_EQ(ExternalEntry(tensor, "offset"), "");
}

TEST(Tensors, DataLiesBesideTheModelThatALinkNames) {
  const TemporaryFolder real;
  const TemporaryFolder links;
  WriteFile(real / "m.onnx",
            "<ir_version: 8, opset_import: [\"\" : 17]>"
            "g (float x) => (float y) { y = Neg (x) }");
  std::filesystem::create_symlink(real / "m.onnx", links / "m.onnx");
  EXPECT_EQ(DataFolder(LoadModel(links / "m.onnx")),
            std::filesystem::canonical(real.path()).string());
}

}  // namespace
}  // namespace onnx_expose::testing
