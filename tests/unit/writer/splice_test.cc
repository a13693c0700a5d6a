#include "writer/splice.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

using onnx::ModelProto;
using onnx::TensorProto;

ModelProto Model(size_t bytes) {
  ModelProto model = FromText(
      "<ir_version: 8, opset_import: [\"\" : 17]>"
      "g (float[1] x) => (float[1] y) {y = Relu(x)}");
  auto& tensor = *model.mutable_graph()->add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(TensorProto::UINT8);
  tensor.add_dims(static_cast<int64_t>(bytes));
  tensor.set_raw_data(std::string(bytes, 'w'));
  tensor.set_doc_string("behind the data");
  return model;
}

TEST(Splice, WithoutPayloadsIsWhatProtobufWrites) {
  const std::string bytes = Bytes(Model(10));
  const Skeleton model = Load(bytes);
  const SplicedModel spliced = Splice(model);
  EXPECT_EQ(spliced.pieces.size(), 1U);
  EXPECT_EQ(spliced.size, bytes.size());
}

TEST(Splice, LengthsFollowThePayloads) {
  // Around the sizes where a length takes one byte more.
  for (const size_t size :
       {1100U, 16200U, 16380U, 16384U, 2097100U, 2097152U}) {
    const std::string bytes = Bytes(Model(size));
    const Skeleton model = Load(bytes);
    ASSERT_EQ(model.payloads.size(), 1U);
    EXPECT_EQ(Splice(model).size, bytes.size());
    EXPECT_TRUE(Written(model) == bytes) << size;
  }
}

TEST(Splice, FollowsChangesOfTheSkeleton) {
  ModelProto proto = Model(5000);
  Skeleton model = Load(Bytes(proto));
  const auto change = [](ModelProto& changed) {
    auto& graph = *changed.mutable_graph();
    graph.mutable_initializer(0)->set_name(std::string(300, 'n'));
    graph.mutable_node(0)->set_name("new");
    graph.add_output()->set_name("x");
    changed.add_metadata_props()->set_key("k");
  };
  change(proto);
  change(model.proto);
  EXPECT_TRUE(Written(model) == Bytes(proto));
}

TEST(Splice, PayloadsMoveWithTheirMessages) {
  ModelProto proto = Model(5000);
  *proto.mutable_graph()->add_initializer() =
      Model(7000).graph().initializer(0);
  Skeleton model = Load(Bytes(proto));
  ASSERT_EQ(model.payloads.size(), 2U);
  proto.mutable_graph()->mutable_initializer()->SwapElements(0, 1);
  model.proto.mutable_graph()->mutable_initializer()->SwapElements(0, 1);
  EXPECT_TRUE(Written(model) == Bytes(proto));
  proto.mutable_graph()->mutable_initializer()->RemoveLast();
  model.proto.mutable_graph()->mutable_initializer()->RemoveLast();
  EXPECT_TRUE(Written(model) == Bytes(proto));
}

TEST(Splice, ManyPayloadsKeepTheirOrder) {
  ModelProto proto = Model(2000);
  auto& tensor = *proto.mutable_graph()->mutable_initializer(0);
  for (int i = 0; i < 2000; ++i) {
    tensor.add_float_data(1);
    tensor.add_double_data(2);
    tensor.add_uint64_data(3);
    tensor.add_string_data("four");
  }
  auto& attribute = *proto.mutable_graph()->mutable_node(0)->add_attribute();
  for (int i = 0; i < 40000; ++i) {
    attribute.add_floats(1);
    attribute.add_ints(2);
  }
  *attribute.mutable_t() = tensor;
  const Skeleton model = Load(Bytes(proto));
  EXPECT_EQ(model.payloads.size(), 5U + 2U + 5U);
  EXPECT_TRUE(Written(model) == Bytes(proto));
}

}  // namespace
}  // namespace onnx_expose::testing
