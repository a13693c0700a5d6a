#include "tests/unit/check/check_testing.h"

namespace onnx_expose {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace testing;  // NOLINT(google-build-using-namespace)

onnx::ValueInfoProto& Output(Skeleton& model) {
  return *model.proto.mutable_graph()->mutable_output(0);
}
onnx::ValueInfoProto& Input(Skeleton& model) {
  return *model.proto.mutable_graph()->mutable_input(0);
}

TEST(CheckTypes, WhatAnOutputMustSay) {
  Skeleton model = Base();
  Output(model).mutable_type()->mutable_tensor_type()->clear_shape();
  EXPECT_THAT(Lines(model), ElementsAre("error: output 'y': has no shape (ONNX "
                                        "Runtime takes it)"));
  Output(model).mutable_type()->mutable_tensor_type()->Clear();
  EXPECT_THAT(Lines(model),
              ElementsAre("error: output 'y': has no element type"));
  Output(model).clear_type();
  EXPECT_THAT(Lines(model), ElementsAre("error: output 'y': has no type (ONNX "
                                        "Runtime fills it in)"));
  Output(model).mutable_type();
  EXPECT_THAT(Lines(model), ElementsAre("error: output 'y': has no type (ONNX "
                                        "Runtime fills it in)"));
}

TEST(CheckTypes, WhatAnInputMustSay) {
  Skeleton model = Base();
  Input(model).clear_type();
  EXPECT_THAT(Lines(model), ElementsAre("error: input 'x': has no type"));
}

TEST(CheckTypes, BodiesNeedNoTypes) {
  Skeleton model = Parse(R"(
    g (float[4] x, bool c) => (float[4] y) {
      y = If (c) <
        then_branch = t () => (float[4] q) { q = Neg (x) },
        else_branch = e () => (float[4] q) { q = Abs (x) }>
    })");
  for (auto& attribute :
       *model.proto.mutable_graph()->mutable_node(0)->mutable_attribute()) {
    attribute.mutable_g()->mutable_output(0)->clear_type();
  }
  EXPECT_THAT(Lines(model), IsEmpty());
}

TEST(CheckTypes, ElementTypes) {
  Skeleton model = Base();
  auto* info = model.proto.mutable_graph()->add_value_info();
  info->set_name("a");
  info->mutable_type()->mutable_tensor_type();
  EXPECT_THAT(Lines(model),
              ElementsAre("error: value_info 'a': declares element type 0, "
                          "which is none (the ONNX checker passes it, ONNX "
                          "Runtime refuses it)"));
  info->mutable_type()
      ->mutable_sequence_type()
      ->mutable_elem_type()
      ->mutable_tensor_type()
      ->set_elem_type(99);
  EXPECT_THAT(Lines(model),
              ElementsAre("error: value_info 'a': declares element type 99, "
                          "which no version of the standard known here gives "
                          "(the ONNX checker passes it, ONNX Runtime refuses "
                          "it)"));
}

TEST(CheckTypes, NegativeDims) {
  Skeleton model = Base();
  for (auto* info : {&Input(model), &Output(model)}) {
    info->mutable_type()
        ->mutable_tensor_type()
        ->mutable_shape()
        ->mutable_dim(0)
        ->set_dim_value(-1);
  }
  EXPECT_THAT(Lines(model),
              ElementsAre("warning: input 'x': declares a negative dim: "
                          "float[-1,4] (ONNX Runtime takes it for an unknown "
                          "one)",
                          "warning: output 'y': declares a negative dim: "
                          "float[-1,4] (ONNX Runtime takes it for an unknown "
                          "one)"));
}

TEST(CheckTypes, InitializerThatIsAnInput) {
  Skeleton model = Base();
  auto* input = model.proto.mutable_graph()->add_input();
  *input = Input(model);
  input->set_name("w");
  EXPECT_THAT(Lines(model), IsEmpty());
  auto* type = input->mutable_type()->mutable_tensor_type();
  type->mutable_shape()->mutable_dim(1)->set_dim_param("N");
  EXPECT_THAT(Lines(model), IsEmpty());
  type->set_elem_type(onnx::TensorProto::INT64);
  EXPECT_EQ(Lines(model)[0],
            "error: initializer 'w': is float[1,4], but the input of this name "
            "int64[1,N]");
}

}  // namespace
}  // namespace onnx_expose
