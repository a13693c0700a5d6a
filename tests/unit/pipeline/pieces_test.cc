#include "pipeline/pieces.h"

#include <gmock/gmock.h>

#include "onnx_expose/graph_index.h"
#include "onnx_expose/value_types.h"
#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A plan for a model in ONNX text syntax.
struct Planned {
  Planned(const std::string& text, const std::vector<std::string>& wanted)
      : model(FromText(text)), index(model), plan(index, wanted) {
    plan.SetTypes(InferTypes(index, {}));
  }
  onnx::ModelProto model;
  GraphIndex index;
  PiecePlan plan;

  std::vector<std::string> Outputs(size_t begin, size_t end) const {
    std::vector<std::string> names;
    for (const int value : plan.Outputs(begin, end)) {
      names.emplace_back(index.values()[static_cast<size_t>(value)].name);
    }
    return names;
  }
};

// Each value takes 4,000 bytes.
constexpr const char* kChain = R"(
  <ir_version: 8, opset_import: ["" : 17]>
  g (float[1000] x) => (float[1000] d)
  { a = Neg(x)  b = Abs(a)  c = Add(a, b)  d = Relu(c) })";

TEST(PiecePlanTest, APieceHasAtLeastOneNode) {
  const Planned chain(kChain, {"d"});
  EXPECT_EQ(chain.plan.steps(), 4U);
  EXPECT_EQ(chain.plan.End(0, 0), 1U);
  EXPECT_EQ(chain.plan.End(3, 0), 4U);
  EXPECT_EQ(chain.plan.End(0, 1 << 20), 4U);
}

TEST(PiecePlanTest, WhatIsWantedLivesToTheEndOfThePiece) {
  // a, b and c live at once; then a and b are gone. What the model is fed is
  // not of the plan.
  EXPECT_EQ(Planned(kChain, {"d"}).plan.End(0, 12000), 4U);
  EXPECT_EQ(Planned(kChain, {"a", "b", "c", "d"}).plan.End(0, 12000), 3U);
}

TEST(PiecePlanTest, APieceGivesOutWhatIsWantedOrReadBehindIt) {
  const Planned chain(kChain, {"d"});
  EXPECT_THAT(chain.Outputs(0, 2), ElementsAre("a", "b"));
  EXPECT_THAT(chain.Outputs(2, 3), ElementsAre("c"));
  EXPECT_THAT(chain.Outputs(0, 4), ElementsAre("d"));
  EXPECT_THAT(Planned(kChain, {"a", "d"}).Outputs(0, 4), ElementsAre("a", "d"));
}

TEST(PiecePlanTest, SequencesAreNotPassedOn) {
  const Planned split(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[4,2] x) => (float[4,2] y) {
      n = Neg(x)
      q = SplitToSequence(n)
      c = ConcatFromSequence <axis = 0> (q)
      y = Abs(c) })",
                      {"y"});
  EXPECT_EQ(split.plan.End(0, 0), 1U);
  EXPECT_EQ(split.plan.End(1, 0), 3U);
  EXPECT_EQ(split.plan.Half(1, 3), 3U);
  EXPECT_EQ(split.plan.Half(0, 4), 1U);
}

TEST(PiecePlanTest, ConstantsBelongToEachPieceThatReadsThem) {
  const Planned plan(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) {
      k = Constant <value = float[2] {1, 2}> ()
      a = Add(x, k)
      y = Mul(a, k) })",
                     {"y"});
  EXPECT_THAT(plan.plan.Nodes(2, 3), ElementsAre(0, 2));
  EXPECT_THAT(plan.Outputs(0, 1), IsEmpty());
}

TEST(PiecePlanTest, FewValuesOfUnknownSizeInAPiece) {
  std::string nodes = "v0 = NonZero(x)\n";
  for (int i = 1; i < 20; ++i) {
    nodes +=
        "v" + std::to_string(i) + " = Neg(v" + std::to_string(i - 1) + ")\n";
  }
  const Planned plan(
      "<ir_version: 8, opset_import: [\"\" : 17]>\n"
      "g (float[2] x) => (int64[1,n] v19) {\n" +
          nodes + "}",
      {"v19"});
  EXPECT_TRUE(plan.plan.HasUnknown(0));
  EXPECT_EQ(plan.plan.End(0, uint64_t{1} << 40), 8U);
}

}  // namespace
}  // namespace onnx_expose::testing
