#include "tests/unit/check/check_testing.h"

namespace onnx_expose {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace testing;  // NOLINT(google-build-using-namespace)
using onnx::TensorProto;

onnx::TensorProto& Weight(Skeleton& model) {
  return *model.proto.mutable_graph()->mutable_initializer(0);
}

// A model whose initializer 'w' is this type and shape, without data.
Skeleton Holding(int type, const std::vector<int64_t>& dims) {
  Skeleton model = Parse(R"(
    g (float[1,4] x) => (float[1,4] y) <float[4] w = {1, 2, 3, 4}> {
      y = Relu (x)
      z = Identity (w)
    })",
                         R"(<ir_version: 13, opset_import: ["" : 25]>)");
  TensorProto& weight = Weight(model);
  weight.Clear();
  weight.set_name("w");
  weight.set_data_type(type);
  for (const int64_t dim : dims) weight.add_dims(dim);
  return model;
}

Skeleton HoldingRaw(int type, const std::vector<int64_t>& dims, size_t bytes) {
  Skeleton model = Holding(type, dims);
  Weight(model).set_raw_data(std::string(bytes, '\0'));
  return model;
}

Skeleton HoldingInt32(int type, const std::vector<int64_t>& dims, int entries) {
  Skeleton model = Holding(type, dims);
  for (int i = 0; i < entries; ++i) Weight(model).add_int32_data(0);
  return model;
}

TEST(CheckTensors, ElementType) {
  EXPECT_THAT(Lines(Holding(0, {4})),
              ElementsAre("error: initializer 'w': has no element type"));
  EXPECT_THAT(Lines(HoldingRaw(99, {4}, 16)),
              ElementsAre("error: initializer 'w': has element type 99, which "
                          "no version of the standard known here gives (ONNX "
                          "Runtime refuses it)"));
}

TEST(CheckTensors, Dims) {
  EXPECT_THAT(Lines(HoldingRaw(TensorProto::FLOAT, {-1, 4}, 16)),
              ElementsAre("error: initializer 'w': has a negative dim"));
  EXPECT_THAT(
      Lines(HoldingRaw(TensorProto::FLOAT, {1LL << 40, 1LL << 40}, 16)),
      ElementsAre("error: initializer 'w': has dims whose product is no number "
                  "of elements"));
  EXPECT_THAT(Lines(HoldingRaw(TensorProto::FLOAT, {}, 4)), IsEmpty());
}

TEST(CheckTensors, RawSize) {
  EXPECT_THAT(Lines(HoldingRaw(TensorProto::FLOAT, {4}, 16)), IsEmpty());
  EXPECT_THAT(Lines(HoldingRaw(TensorProto::FLOAT, {4}, 15)),
              ElementsAre("error: initializer 'w': has 15 bytes of raw_data "
                          "where float[4] takes 16 bytes"));
  EXPECT_THAT(Lines(HoldingRaw(TensorProto::FLOAT, {4}, 17)),
              ElementsAre("error: initializer 'w': has 17 bytes of raw_data "
                          "where float[4] takes 16 bytes (the ONNX checker "
                          "passes it, ONNX Runtime refuses it)"));
}

TEST(CheckTensors, SmallTypesShareBytes) {
  EXPECT_THAT(Lines(HoldingRaw(TensorProto::INT4, {5}, 3)), IsEmpty());
  EXPECT_THAT(Lines(HoldingRaw(TensorProto::INT4, {5}, 2)), SizeIs(1));
  EXPECT_THAT(Lines(HoldingRaw(TensorProto::INT4, {5}, 4)), SizeIs(1));
  EXPECT_THAT(Lines(HoldingInt32(TensorProto::INT4, {5}, 3)), IsEmpty());
  EXPECT_THAT(Lines(HoldingInt32(TensorProto::INT4, {5}, 5)), SizeIs(1));
  EXPECT_THAT(Lines(HoldingRaw(TensorProto::UINT2, {5}, 2)), IsEmpty());
  EXPECT_THAT(Lines(HoldingRaw(TensorProto::UINT2, {5}, 1)), SizeIs(1));
  EXPECT_THAT(Lines(HoldingInt32(TensorProto::UINT2, {5}, 2)), IsEmpty());
}

TEST(CheckTensors, TypedFields) {
  EXPECT_THAT(Lines(HoldingInt32(TensorProto::FLOAT16, {4}, 4)), IsEmpty());
  EXPECT_THAT(Lines(HoldingInt32(TensorProto::FLOAT16, {4}, 3)),
              ElementsAre("error: initializer 'w': has 3 entries of int32_data "
                          "where float16[4] takes 4 entries"));
  EXPECT_THAT(Lines(HoldingInt32(TensorProto::FLOAT, {4}, 4)),
              ElementsAre("error: initializer 'w': has data of type float in "
                          "int32_data instead of float_data"));
  Skeleton complex = Holding(TensorProto::COMPLEX64, {2});
  for (int i = 0; i < 4; ++i) Weight(complex).add_float_data(0);
  EXPECT_THAT(Lines(complex), IsEmpty());
}

TEST(CheckTensors, WhichFieldHoldsTheData) {
  EXPECT_THAT(Lines(Holding(TensorProto::FLOAT, {4})),
              ElementsAre("error: initializer 'w': has no data for float[4]"));
  Skeleton both = HoldingRaw(TensorProto::FLOAT, {1}, 4);
  Weight(both).add_float_data(0);
  EXPECT_THAT(Lines(both),
              ElementsAre("error: initializer 'w': has data in both float_data "
                          "and raw_data (ONNX Runtime takes it)"));
  EXPECT_THAT(Lines(Holding(TensorProto::FLOAT, {0, 4})), IsEmpty());
  EXPECT_THAT(Lines(HoldingRaw(TensorProto::FLOAT, {0, 4}, 16)),
              ElementsAre("error: initializer 'w': is float[0,4], without "
                          "elements, but has data (ONNX Runtime takes it)"));
}

TEST(CheckTensors, Strings) {
  Skeleton model = Holding(TensorProto::STRING, {2});
  for (int i = 0; i < 2; ++i) Weight(model).add_string_data("s");
  EXPECT_THAT(Lines(model), IsEmpty());
  Weight(model).add_string_data("s");
  EXPECT_THAT(Lines(model), ElementsAre(HasSubstr("3 entries")));
  EXPECT_THAT(Lines(HoldingRaw(TensorProto::STRING, {2}, 2)),
              ElementsAre("error: initializer 'w': has strings in raw_data"));
}

TEST(CheckTensors, TooMuchOfWhatNobodyReadsIsAWarning) {
  Skeleton model = HoldingRaw(TensorProto::FLOAT, {4}, 20);
  model.proto.mutable_graph()->mutable_node()->RemoveLast();
  EXPECT_THAT(Lines(model),
              ElementsAre("warning: initializer 'w': has 20 bytes of raw_data "
                          "where float[4] takes 16 bytes (ONNX Runtime would "
                          "refuse it if it were read)"));
}

// Data that the skeleton doesn't hold is counted by the size it has in the
// file.
class ElidedTensors : public ::testing::Test {
 protected:
  Skeleton Elided(int type, int64_t count, int field, uint64_t content_size) {
    Skeleton model = Holding(type, {count});
    const uint64_t header = 4;
    model.payloads.push_back(
        {field, 100, content_size + header, 100 + header, content_size});
    Weight(model)
        .GetReflection()
        ->MutableUnknownFields(&Weight(model))
        ->AddVarint(kPayloadField, 0);
    return model;
  }
};

TEST_F(ElidedTensors, Raw) {
  constexpr int kRaw = TensorProto::kRawDataFieldNumber;
  EXPECT_THAT(Lines(Elided(TensorProto::FLOAT, 1000, kRaw, 4000)), IsEmpty());
  EXPECT_THAT(Lines(Elided(TensorProto::FLOAT, 1000, kRaw, 3996)),
              ElementsAre("error: initializer 'w': has 3996 bytes of raw_data "
                          "where float[1000] takes 4000 bytes"));
}

TEST_F(ElidedTensors, PackedFloats) {
  constexpr int kFloats = TensorProto::kFloatDataFieldNumber;
  EXPECT_THAT(Lines(Elided(TensorProto::FLOAT, 1000, kFloats, 4000)),
              IsEmpty());
  EXPECT_THAT(Lines(Elided(TensorProto::FLOAT, 1000, kFloats, 4004)),
              SizeIs(1));
}

// A number takes one byte to ten.
TEST_F(ElidedTensors, PackedVarints) {
  constexpr int kInts = TensorProto::kInt32DataFieldNumber;
  for (const uint64_t size : {1000, 10000}) {
    EXPECT_THAT(Lines(Elided(TensorProto::INT8, 1000, kInts, size)), IsEmpty());
  }
  EXPECT_THAT(Lines(Elided(TensorProto::INT8, 1000, kInts, 999)),
              ElementsAre("error: initializer 'w': has at most 999 entries of "
                          "int32_data where int8[1000] takes 1000 entries"));
  EXPECT_THAT(Lines(Elided(TensorProto::INT8, 1000, kInts, 10001)),
              ElementsAre(HasSubstr("has at least 1001 entries")));
}

TEST_F(ElidedTensors, WrongField) {
  EXPECT_THAT(Lines(Elided(TensorProto::FLOAT, 1000,
                           TensorProto::kInt64DataFieldNumber, 4000)),
              ElementsAre(HasSubstr("in int64_data instead of float_data")));
}

// Inference must not take what isn't here for an empty list.
TEST_F(ElidedTensors, AreNotReadByInference) {
  Skeleton model =
      Elided(TensorProto::INT64, 9000, TensorProto::kRawDataFieldNumber, 72000);
  auto* node = model.proto.mutable_graph()->mutable_node(1);
  node->set_op_type("Reshape");
  node->set_input(0, "x");
  node->add_input("w");
  EXPECT_THAT(Lines(model), IsEmpty());
}

TEST(CheckTensors, SparseIndices) {
  Skeleton model = Base();
  auto* sparse = model.proto.mutable_graph()->add_sparse_initializer();
  auto* values = sparse->mutable_values();
  values->set_name("s");
  values->set_data_type(TensorProto::FLOAT);
  values->add_dims(1);
  values->add_float_data(1);
  auto* indices = sparse->mutable_indices();
  indices->set_data_type(TensorProto::INT64);
  indices->add_dims(1);
  indices->add_int64_data(3);
  sparse->add_dims(4);
  EXPECT_THAT(Lines(model), IsEmpty());
  indices->set_int64_data(0, 4);
  EXPECT_THAT(Lines(model),
              ElementsAre("error: sparse initializer 's': sparse tensor () "
                          "index value at position [0] out of range [0, 3]"));
  values->clear_float_data();
  EXPECT_THAT(Lines(model),
              ElementsAre("error: sparse initializer 's': values: has no data "
                          "for float[1]"));
}

}  // namespace
}  // namespace onnx_expose
