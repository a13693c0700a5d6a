#include "tests/unit/check/check_testing.h"

namespace onnx_expose {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace testing;  // NOLINT(google-build-using-namespace)

TEST(CheckOrder, ValueDefinedTwice) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[4] x) => (float[4] y) <float[4] w = {1, 2, 3, 4}> {
      [n0] a = Relu (x)
      [n1] a = Neg (x)
      [n2] w = Neg (x)
      [n3] x = Neg (a)
      [n4] y = Add (a, w)
    })")),
              ElementsAre("error: node 'n1' (Neg): defines 'a', which is an "
                          "output of node 'n0' (Relu) already",
                          "error: node 'n2' (Neg): defines 'w', which is an "
                          "initializer already",
                          "error: node 'n3' (Neg): defines 'x', which is an "
                          "input already"));
}

TEST(CheckOrder, InnerValueThatHidesAnOuterOne) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[4] x, bool c) => (float[4] y) {
      [relu] a = Relu (x)
      [choose] i = If (c) <
        then_branch = t () => (float[4] a) { [tneg] a = Neg (x) },
        else_branch = e () => (float[4] q) { [eabs] q = Abs (x) }>
      [add] y = Add (a, i)
    })")),
              ElementsAre("error: choose/then_branch: node 'tneg' (Neg): "
                          "defines 'a', which is an output of node 'relu' "
                          "(Relu) around the body already"));
}

TEST(CheckOrder, SiblingBranchesMayShareNames) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[4] x, bool c) => (float[4] y) {
      y = If (c) <
        then_branch = t () => (float[4] q) { q = Neg (x) },
        else_branch = e () => (float[4] q) { q = Abs (x) }>
    })")),
              IsEmpty());
}

TEST(CheckOrder, InputThatNothingDefines) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[4] x) => (float[4] y) { [n] y = Add (x, zzz) })")),
              ElementsAre("error: node 'n' (Add): reads 'zzz', which nothing "
                          "defines"));
}

TEST(CheckOrder, UnsortedNodes) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[4] x) => (float[4] y) {
      [n1] y = Neg (a)
      [n0] a = Relu (x)
    })")),
              ElementsAre("error: node 'n1' (Neg): reads 'a' before node 'n0' "
                          "(Relu) computes it (ONNX Runtime sorts the nodes "
                          "itself)"));
}

TEST(CheckOrder, UnsortedBodyIsNotSortedByOnnxRuntime) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[4] x, bool c) => (float[4] y) {
      [choose] y = If (c) <
        then_branch = t () => (float[4] q) {
          [t1] q = Neg (p)
          [t0] p = Relu (x)
        },
        else_branch = e () => (float[4] q) { q = Abs (x) }>
    })")),
              ElementsAre("error: choose/then_branch: node 't1' (Neg): reads "
                          "'p' before node 't0' (Relu) computes it"));
}

// What a body captures counts for the node that holds it.
TEST(CheckOrder, BodyReadsAValueThatComesLater) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[4] x, bool c) => (float[4] y) {
      [choose] y = If (c) <
        then_branch = t () => (float[4] q) { [t0] q = Neg (a) },
        else_branch = e () => (float[4] q) { q = Abs (x) }>
      [late] a = Relu (x)
    })")),
              ElementsAre("error: choose/then_branch: node 't0' (Neg): reads "
                          "'a' before node 'late' (Relu) computes it"));
}

TEST(CheckOrder, Cycle) {
  EXPECT_THAT(
      Lines(Parse(R"(
    g (float[4] x) => (float[4] y) {
      [n0] a = Add (x, b)
      [n1] b = Neg (a)
      [n2] y = Relu (b)
      [n3] z = Neg (z)
    })")),
      ElementsAre("error: graph: 2 nodes wait for each other in a cycle: 'n1', "
                  "'n0'",
                  "error: graph: node 'n3' waits for its own output",
                  "warning: model: types and shapes are not checked: nodes "
                  "wait for each other in a cycle"));
}

TEST(CheckOrder, NodeBehindACycleIsNotOnIt) {
  const auto lines = Lines(Parse(R"(
    g (float[4] x) => (float[4] y) {
      [n2] y = Relu (b)
      [n0] a = Add (x, b)
      [n1] b = Neg (a)
    })"));
  EXPECT_THAT(lines,
              ElementsAre("error: graph: 2 nodes wait for each other in a "
                          "cycle: 'n0', 'n1'",
                          "error: node 'n2' (Relu): reads 'b' before node 'n1' "
                          "(Neg) computes it (ONNX Runtime sorts the nodes "
                          "itself)",
                          ::testing::HasSubstr("not checked")));
}

}  // namespace
}  // namespace onnx_expose
