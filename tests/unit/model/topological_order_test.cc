#include "model/topological_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

using ::testing::ElementsAre;

std::vector<int> Order(const std::string& nodes, int scope = 0) {
  const onnx::ModelProto model = FromText(
      "<ir_version: 8, opset_import: [\"\" : 17]>"
      "g (float[2] x, bool c) => (float[2] y) {" +
      nodes + "}");
  return TopologicalOrder(GraphIndex(model), scope);
}

TEST(TopologicalOrder, KeepsAListInOrder) {
  EXPECT_THAT(Order("a = Neg (x) b = Abs (x) y = Add (b, a)"),
              ElementsAre(0, 1, 2));
}

TEST(TopologicalOrder, MovesOnlyWhatMustMove) {
  EXPECT_THAT(Order("y = Add (b, a) b = Abs (x) a = Neg (b) e = Exp (x)"),
              ElementsAre(1, 2, 0, 3));
}

TEST(TopologicalOrder, CountsWhatBodiesCapture) {
  const std::string nodes = R"(
    y = If (c) <then_branch = t () => (float[2] u) {
                  u = Neg (v) v = Abs (late) },
                else_branch = e () => (float[2] w) { w = Identity (x) }>
    late = Neg (x))";
  EXPECT_THAT(Order(nodes), ElementsAre(1, 0));
  EXPECT_THAT(Order(nodes, 1), ElementsAre(1, 0));
  EXPECT_THAT(Order(nodes, 2), ElementsAre(0));
}

TEST(TopologicalOrder, PutsCyclesLast) {
  EXPECT_THAT(Order("a = Add (x, b) b = Neg (a) y = Neg (x) s = Neg (s)"),
              ElementsAre(2, 0, 1, 3));
}

}  // namespace
}  // namespace onnx_expose::testing
