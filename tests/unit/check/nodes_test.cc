#include "tests/unit/check/check_testing.h"

namespace onnx_expose {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace testing;  // NOLINT(google-build-using-namespace)

Skeleton OneNode(const std::string& node) {
  return Parse("g (float[4] x, bool c) => (float[4] y) { " + node + " }",
               R"(<ir_version: 8, opset_import: ["" : 17, "my.dom" : 1,
                  "com.microsoft" : 1]>)");
}

TEST(CheckNodes, EachNodeIsReported) {
  EXPECT_THAT(Lines(OneNode(R"(
      [n0] a = Cast (x)
      [n1] b = Relu (a, a)
      y = Relu <alpha = 1.0> (b)
  )")),
              ElementsAre("error: node 'n0' (Cast): required attribute 'to' is "
                          "missing",
                          "error: node 'n1' (Relu): node(n1) with "
                          "schema(::Relu:14) has input size 2 not in range "
                          "[min=1, max=1]",
                          "error: unnamed node 2 (Relu): unrecognized "
                          "attribute: alpha for operator Relu"));
}

TEST(CheckNodes, OperatorOfAnotherOpset) {
  EXPECT_THAT(Lines(OneNode("[n] y = Gelu (x)")),
              ElementsAre("error: node 'n' (Gelu): is no operator of the "
                          "default domain in opset 17 (it is there in opset "
                          "20)"));
  EXPECT_THAT(Lines(OneNode("[n] y = Rleu (x)")),
              ElementsAre("error: node 'n' (Rleu): is no operator of the "
                          "default domain in opset 17"));
}

TEST(CheckNodes, UnknownOperatorOfANewerOpset) {
  Skeleton model = OneNode("[n] y = NewThing (x)");
  model.proto.mutable_opset_import(0)->set_version(99);
  EXPECT_THAT(Lines(model),
              ElementsAre(::testing::HasSubstr("imports opset 99"),
                          "refused: node 'n' (NewThing): is no operator of the "
                          "default domain in opset 99 (the opset is newer than "
                          "this program)"));
}

TEST(CheckNodes, CustomOperatorsAreOneWarning) {
  EXPECT_THAT(Lines(OneNode("[p] a = my.dom.Foo (x) [q] y = my.dom.Foo (a)")),
              ElementsAre("warning: model: operator 'my.dom::Foo' is neither "
                          "in the standard nor a function of the model; 2 "
                          "nodes call it: 'p', 'q' (ONNX Runtime refuses it "
                          "unless the operator is registered with it)"));
}

TEST(CheckNodes, OperatorsOfOnnxRuntimeAreFine) {
  EXPECT_THAT(Lines(OneNode("y = com.microsoft.Gelu (x)")), IsEmpty());
}

TEST(CheckNodes, DomainSpelledAiOnnx) {
  Skeleton model = OneNode("[n] y = Relu (x)");
  model.proto.mutable_graph()->mutable_node(0)->set_domain("ai.onnx");
  EXPECT_THAT(Lines(model),
              ElementsAre("error: model: has no opset import for domain "
                          "'ai.onnx', in use by 1 node: 'n' (ONNX Runtime "
                          "takes it for the default domain, the ONNX checker "
                          "does not)"));
}

TEST(CheckNodes, ExperimentalOperators) {
  EXPECT_THAT(Lines(OneNode("[n] y = Scale (x)")),
              ElementsAre("error: node 'n' (Scale): is one of the experimental "
                          "operators that are gone (the ONNX checker passes "
                          "it, ONNX Runtime refuses it)"));
}

TEST(CheckNodes, NamesAreUniqueInTheirGraph) {
  EXPECT_THAT(Lines(OneNode(R"(
      [n] a = Relu (x)
      [n] b = Relu (a)
      [n] y = If (c) <
        then_branch = t () => (float[4] q) { [n] q = Neg (b) },
        else_branch = e () => (float[4] q) { [n] q = Abs (b) }>
  )")),
              ElementsAre("error: node 'n' (Relu): is not the only node called "
                          "'n' (the ONNX checker passes it, ONNX Runtime "
                          "refuses it)"));
}

TEST(CheckNodes, Attributes) {
  Skeleton model = OneNode("[n] y = LeakyRelu <alpha = 0.5> (x)");
  auto* attribute =
      model.proto.mutable_graph()->mutable_node(0)->mutable_attribute(0);
  attribute->set_i(1);
  EXPECT_THAT(Lines(model),
              ElementsAre("error: node 'n' (LeakyRelu): type field and data "
                          "field mismatch in attribute alpha"));
  attribute->clear_i();
  attribute->clear_type();
  EXPECT_THAT(Lines(model),
              ElementsAre("error: node 'n' (LeakyRelu): field 'type' of 'attr' "
                          "is required but missing"));
}

// The checker alone would open the file of a tensor in an attribute, and walk
// into bodies.
TEST(CheckNodes, TensorsAndGraphsInAttributesAreNotReadHere) {
  Skeleton model = OneNode(R"(
      [k] k = Constant <value = float[4] {1, 2, 3, 4}> ()
      [n] y = Add (x, k))");
  auto* tensor = model.proto.mutable_graph()
                     ->mutable_node(0)
                     ->mutable_attribute(0)
                     ->mutable_t();
  tensor->clear_float_data();
  tensor->set_data_location(onnx::TensorProto::EXTERNAL);
  auto* entry = tensor->add_external_data();
  entry->set_key("location");
  entry->set_value("nowhere.bin");
  EXPECT_THAT(Lines(model),
              ElementsAre("error: node 'k' (Constant): attribute 'value': its "
                          "data file 'nowhere.bin' is not there (looked up in "
                          "the working folder)"));
}

TEST(CheckNodes, MessagesAreOneLine) {
  Skeleton model = OneNode("[n] y = Relu (x)");
  auto* node = model.proto.mutable_graph()->mutable_node(0);
  node->set_name("a\nb");
  node->add_input("x");
  EXPECT_THAT(Lines(model),
              ElementsAre("error: node 'a\\nb' (Relu): node(a b) with "
                          "schema(::Relu:14) has input size 2 not in range "
                          "[min=1, max=1]"));
}

}  // namespace
}  // namespace onnx_expose
