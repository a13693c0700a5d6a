#include "loader/scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "onnx_expose/error.h"
#include "tests/support/model_files.h"
#include "tests/support/wire.h"

namespace onnx_expose::testing {
namespace {

using onnx::AttributeProto;
using onnx::ModelProto;
using onnx::TensorProto;
using ::testing::HasSubstr;

TensorProto Raw(size_t bytes) {
  TensorProto tensor;
  tensor.set_name("w");
  tensor.set_data_type(TensorProto::UINT8);
  tensor.add_dims(static_cast<int64_t>(bytes));
  for (size_t i = 0; i < bytes; ++i) {
    tensor.mutable_raw_data()->push_back(static_cast<char>(i * 7));
  }
  return tensor;
}

ModelProto WithInitializer(const TensorProto& tensor) {
  ModelProto model = FromText(
      "<ir_version: 8, opset_import: [\"\" : 17]>"
      "g (float[1] x) => (float[1] y) {y = Relu(x)}");
  *model.mutable_graph()->add_initializer() = tensor;
  return model;
}

AttributeProto& NewAttribute(onnx::NodeProto& node) {
  auto& attribute = *node.add_attribute();
  attribute.set_name("a");
  return attribute;
}

// So many payloads are left out, and what is written then is the file again.
void ExpectElided(const std::string& bytes, size_t payloads) {
  const Skeleton model = Load(bytes);
  EXPECT_EQ(model.payloads.size(), payloads);
  EXPECT_TRUE(Written(model) == bytes);
}

// The same message, in bytes that may differ.
void ExpectSameMessage(const std::string& bytes) {
  EXPECT_TRUE(Bytes(Parsed(Written(Load(bytes)))) == Bytes(Parsed(bytes)));
}

TEST(Scanner, LeavesOutPayloadsWhereverTheyAre) {
  using Place = std::function<TensorProto*(ModelProto&)>;
  const auto node = [](ModelProto& model) -> onnx::NodeProto& {
    return *model.mutable_graph()->mutable_node(0);
  };
  const std::vector<Place> places = {
      [](ModelProto& m) { return m.mutable_graph()->add_initializer(); },
      [](ModelProto& m) {
        return m.mutable_graph()->add_sparse_initializer()->mutable_values();
      },
      [](ModelProto& m) {
        return m.mutable_graph()->add_sparse_initializer()->mutable_indices();
      },
      [&](ModelProto& m) { return NewAttribute(node(m)).mutable_t(); },
      [&](ModelProto& m) { return NewAttribute(node(m)).add_tensors(); },
      [&](ModelProto& m) {
        return NewAttribute(node(m)).mutable_sparse_tensor()->mutable_values();
      },
      [&](ModelProto& m) {
        return NewAttribute(node(m)).add_sparse_tensors()->mutable_values();
      },
      [&](ModelProto& m) {
        return NewAttribute(node(m)).mutable_g()->add_initializer();
      },
      [&](ModelProto& m) {
        auto* inner = NewAttribute(node(m)).add_graphs()->add_node();
        return NewAttribute(*inner).mutable_t();
      },
      [](ModelProto& m) {
        return NewAttribute(*m.add_functions()->add_node()).mutable_t();
      },
      [](ModelProto& m) {
        return m.add_functions()->add_attribute_proto()->mutable_t();
      },
      [](ModelProto& m) {
        return m.add_training_info()->mutable_algorithm()->add_initializer();
      },
      [](ModelProto& m) {
        auto* training = m.add_training_info();
        return training->mutable_initialization()->add_initializer();
      },
  };
  for (size_t i = 0; i < places.size(); ++i) {
    SCOPED_TRACE(i);
    ModelProto model = WithInitializer(Raw(3));
    *places[i](model) = Raw(70000);
    const std::string bytes = Bytes(model);
    ExpectElided(bytes, 1);
    EXPECT_LT(Load(bytes).proto.ByteSizeLong(), 300U);
  }
}

TEST(Scanner, LeavesOutEveryRepresentation) {
  TensorProto base;
  base.add_dims(100);
  base.add_dims(9);
  std::vector<TensorProto> tensors(7, base);
  for (int i = 0; i < 900; ++i) {
    tensors[0].add_float_data(0.5F);
    tensors[1].add_double_data(0.5);
    tensors[2].add_int32_data(-i);
    tensors[3].add_int64_data(i * 1000);
    tensors[4].add_uint64_data(1ULL << 63);
    tensors[5].add_string_data("text");
    tensors[6].mutable_raw_data()->append("raw");
  }
  for (const TensorProto& tensor : tensors) {
    SCOPED_TRACE(tensor.ShortDebugString().substr(0, 60));
    ExpectElided(Bytes(WithInitializer(tensor)), 1);
  }
  for (int i = 0; i < 900; ++i) base.add_float_data(1), base.add_int32_data(1);
  base.set_raw_data(std::string(2000, 'r'));
  ExpectElided(Bytes(WithInitializer(base)), 2);  // 900 bytes of ints stay
}

TEST(Scanner, KeepsWhatInferenceMayNeed) {
  ExpectElided(Bytes(WithInitializer(Raw(900))), 0);
  TensorProto shape;
  shape.set_data_type(TensorProto::INT64);
  shape.add_dims(5000);
  shape.set_raw_data(std::string(40000, '\1'));
  ExpectElided(Bytes(WithInitializer(shape)), 0);
  shape.set_raw_data(std::string(80000, '\1'));
  ExpectElided(Bytes(WithInitializer(shape)), 1);
  shape.set_raw_data(std::string(40000, '\1'));
  shape.add_dims(1);
  ExpectElided(Bytes(WithInitializer(shape)), 1);
}

TEST(Scanner, LeavesOutLongListsOfAttributes) {
  ModelProto model = WithInitializer(Raw(3));
  auto& attribute = NewAttribute(*model.mutable_graph()->mutable_node(0));
  for (int i = 0; i < 20000; ++i) {
    attribute.add_floats(1);
    attribute.add_ints(int64_t{1} << 40);
    attribute.add_strings("leaf");
  }
  ExpectElided(Bytes(model), 3);
  const Skeleton loaded = Load(Bytes(model));
  const auto& kept = loaded.proto.graph().node(0).attribute(0);
  EXPECT_EQ(kept.floats_size(), 8);  // operators ask whether there are any
  EXPECT_EQ(kept.ints_size(), 8);
  EXPECT_EQ(kept.strings_size(), 8);
  for (const char* name : {"value_floats", "classlabels_strings"}) {
    attribute.set_name(name);  // their length is an output's shape
    ExpectElided(Bytes(model), 0);
  }
}

TEST(Scanner, RemembersWherePayloadsLie) {
  const std::string bytes = Bytes(WithInitializer(Raw(5000)));
  const Skeleton model = Load(bytes);
  const auto payloads = PayloadsOf(model, model.proto.graph().initializer(0));
  ASSERT_EQ(payloads.size(), 1U);
  EXPECT_EQ(payloads[0]->field, TensorProto::kRawDataFieldNumber);
  EXPECT_EQ(
      bytes.substr(payloads[0]->content_offset, payloads[0]->content_size),
      Raw(5000).raw_data());
  EXPECT_TRUE(PayloadsOf(model, model.proto.graph().node(0)).empty());
}

// A graph of one tensor in bytes.
std::string GraphWith(const std::string& tensor) {
  return VarintField(1, 8) + LengthField(7, LengthField(5, tensor));
}

TEST(Scanner, ReadsWhatReadersAccept) {
  const std::string data(3000, 'd');
  const std::string tensor = Raw(3000).SerializeAsString();
  // raw_data twice: the last one holds.
  ExpectSameMessage(GraphWith(LengthField(9, std::string(2000, 'x')) + tensor));
  ExpectSameMessage(GraphWith(tensor + LengthField(9, "short")));
  // Fields backwards, lengths in long varints, unknown fields and groups.
  ExpectSameMessage(LengthField(7, LengthField(5, tensor, 3), 2) +
                    VarintField(1, 8));
  ExpectSameMessage(GraphWith(GroupField(900, VarintField(1, 2)) + tensor +
                              LengthField(901, data)));
  // Floats one by one, and packed in two pieces.
  std::string floats;
  for (int i = 0; i < 600; ++i)
    floats += Tag(4, 5) + std::string("\0\0\x80?", 4);
  ExpectSameMessage(GraphWith(floats));
  ExpectSameMessage(GraphWith(floats + VarintField(2, 1) + floats +
                              LengthField(4, std::string(2400, '\1'))));
  // Merged by every reader: two graphs, and two tensors of one attribute.
  ExpectSameMessage(GraphWith(tensor) + GraphWith(tensor));
  const auto attribute = [&](const std::string& content) {
    return LengthField(7, LengthField(1, LengthField(5, content)));
  };
  ExpectSameMessage(
      attribute(LengthField(5, tensor) + LengthField(5, VarintField(1, 3))));
  ExpectSameMessage(
      attribute(LengthField(5, LengthField(9, data)) + LengthField(5, tensor)));
}

std::string Complaint(const std::string& bytes) {
  try {
    Load(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kInput);
    return error.message().what;
  }
  return "none";
}

TEST(Scanner, SaysWhereAFileIsMalformed) {
  const std::string start = VarintField(1, 8);  // two bytes
  const std::vector<std::pair<std::string, std::string>> cases = {
      {Tag(7, 2) + Varint(5) + "ab",
       "offset 2: field 7 takes 5 bytes and only 2 are left"},
      {Tag(7, 2) + Varint(UINT64_MAX), "offset 2: field 7"},
      {LengthField(7, Tag(5, 2) + Varint(9)), "offset 4: field 5"},
      {Tag(2, 0) + std::string(11, '\xFF'), "offset 3: a number of more than"},
      {Tag(2, 0) + "\xFF", "offset 3: the message ends inside a number"},
      {std::string(2, '\0'), "offset 2: field number 0"},
      {Varint(uint64_t{1} << 33), "offset 2: field number"},
      {Tag(900, 4), "offset 2: a group ends that never began"},
      {Tag(900, 3) + Tag(901, 4), "the end of another group"},
      {Tag(900, 3), "a group that never ends"},
      {Tag(2, 6), "offset 2: wire type 6"},
      {VarintField(kPayloadField, 0), "offset 2: field number 19999"},
  };
  for (const auto& [bytes, complaint] : cases) {
    EXPECT_THAT(Complaint(start + bytes), HasSubstr(complaint));
  }
}

TEST(Scanner, BoundsNesting) {
  std::string groups;
  for (int i = 0; i < 200; ++i) groups = GroupField(900, groups);
  EXPECT_THAT(Complaint(VarintField(1, 8) + groups),
              HasSubstr("groups nested too deep"));
  std::string graph;  // graph -> node -> attribute -> graph ...
  for (int i = 0; i < 40; ++i) {
    graph = LengthField(1, LengthField(5, LengthField(6, graph)));
  }
  EXPECT_THAT(Complaint(VarintField(1, 8) + LengthField(7, graph)),
              HasSubstr("nested more than 100 messages deep"));
}

}  // namespace
}  // namespace onnx_expose::testing
