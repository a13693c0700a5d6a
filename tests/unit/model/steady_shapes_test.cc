#include "model/steady_shapes.h"

#include <gmock/gmock.h>

#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

using ::testing::UnorderedElementsAre;

// Values that the nodes of the Scan's body compute and whose shapes are steady.
// The body may read `out`, `sizes` and `ones` from outside.
std::vector<std::string> Steady(const std::string& nodes) {
  const onnx::ModelProto model = FromText(
      "<ir_version: 8, opset_import: [\"\" : 17]>\n"
      "g (float[n] s, float[t,n] xs, float[k] out, int64[r] sizes)"
      " => (float[n] end) {\n"
      "  ones = Constant <value = int64[1] {1}> ()\n"
      "  end = Scan(s, xs) < num_scan_inputs = 1,\n"
      "    body = b (float[n] state, float[n] x) => (float[n] after) {\n"
      "      after = Add(state, x)\n" +
      nodes + "}> }");
  const GraphIndex index(model);
  std::vector<std::string> names;
  for (const int i : SteadyShapes(index, 1)) {
    const Value& value = index.values()[static_cast<size_t>(i)];
    if (value.node >= 0) names.emplace_back(value.name);
  }
  return names;
}

TEST(SteadyShapesTest, ShapesThatNoNumberDecides) {
  EXPECT_THAT(Steady("a = Neg(after)\n b = MatMul(a, x)\n"),
              UnorderedElementsAre("after", "a", "b"));
}

TEST(SteadyShapesTest, NumbersFromOutsideDontChange) {
  EXPECT_THAT(Steady("a = Reshape(x, sizes)\n b = Tile(a, ones)\n"),
              UnorderedElementsAre("after", "a", "b"));
}

TEST(SteadyShapesTest, NumbersOfTheIterationDo) {
  EXPECT_THAT(Steady("i = Cast <to = 7> (x)\n a = Tile(x, i)\n b = Neg(a)\n"),
              UnorderedElementsAre("after", "i"));
}

TEST(SteadyShapesTest, WhatIsComputedFromSteadyShapesIsSteady) {
  EXPECT_THAT(Steady("i = Shape(x)\n j = Mul(i, ones)\n"
                     "a = ConstantOfShape(j)\n"),
              UnorderedElementsAre("after", "i", "j", "a"));
}

TEST(SteadyShapesTest, OperatorsThatMakeShapesOfNumbers) {
  EXPECT_THAT(
      Steady("a = NonZero(x)\n b = Shape(a)\n q = SequenceConstruct(x)\n"
             "c = SequenceAt(q, ones)\n"),
      UnorderedElementsAre("after"));
}

TEST(SteadyShapesTest, NothingIsKnownOfOtherDomainsAndBodies) {
  EXPECT_THAT(Steady("a = my.Op(x)\n"
                     "c = Constant <value = bool {1}> ()\n"
                     "d = If(c) <then_branch = t () => (y) { y = Neg(x) },"
                     " else_branch = e () => (z) { z = Abs(x) }>\n"),
              UnorderedElementsAre("after", "c"));
}

}  // namespace
}  // namespace onnx_expose::testing
