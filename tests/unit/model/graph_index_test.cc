#include "onnx_expose/graph_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

constexpr char kNested[] = R"(
  <ir_version: 8, opset_import: ["" : 17, "my.fn" : 1]>
  g (float[4] x, bool c) => (float[4] y, float[4] a)
  <float[4] w = {1, 2, 3, 4}> {
    k = Constant <value = float[4] {1, 1, 1, 1}> ()
    [fold] kw = Mul (k, w)
    [first] a = Add (x, kw)
    i = If (c) <
      then_branch = yes () => (float[4] ti) {
        t = Neg (a)
        ti = If (c) <
          then_branch = deep () => (float[4] d) { d = Mul (t, w) },
          else_branch = deep2 () => (float[4] d) { d = Identity (x) }>
      },
      else_branch = no () => (float[4] ti) {
        t = Abs (x)
        ti = RandomNormalLike (t)
      }>
    [call] f = my.fn.F (i)
    [last] y, unused = Dropout (f)
  }
  <domain: "my.fn", opset_import: ["" : 17]>
  F (p) => (q) { t = Exp (p) q = Log (t) })";

class GraphIndexTest : public ::testing::Test {
 protected:
  std::vector<std::string> Names(std::span<const int> values) const {
    std::vector<std::string> names;
    for (const int value : values) {
      const Value& found = index_.values()[static_cast<size_t>(value)];
      names.push_back(index_.scopes()[static_cast<size_t>(found.scope)].path +
                      "/" + std::string(found.name));
    }
    return names;
  }
  std::vector<std::string> Nodes(std::span<const int> nodes) const {
    std::vector<std::string> texts;
    for (const int node : nodes) texts.push_back(index_.Describe(node));
    return texts;
  }
  int Scope(const std::string& path) const {
    for (size_t i = 0; i < index_.scopes().size(); ++i) {
      if (index_.scopes()[i].path == path) return static_cast<int>(i);
    }
    ADD_FAILURE() << "no scope " << path;
    return 0;
  }
  int Node(const std::string& output, const std::string& scope = "") const {
    return Found(output, scope).node;
  }
  const Value& Found(const std::string& name,
                     const std::string& scope = "") const {
    return index_.values().at(
        static_cast<size_t>(index_.FindIn(Scope(scope), name)));
  }

  const onnx::ModelProto model_ = FromText(kNested);
  const GraphIndex index_{model_};
};

TEST_F(GraphIndexTest, ListsScopesWithPaths) {
  std::vector<std::string> paths;
  for (const auto& scope : index_.scopes()) paths.push_back(scope.path);
  EXPECT_THAT(paths, ElementsAre("", "If_3/then_branch",
                                 "If_3/then_branch/If_1/then_branch",
                                 "If_3/then_branch/If_1/else_branch",
                                 "If_3/else_branch", "my.fn::F"));
  EXPECT_EQ(index_.scopes()[2].parent, 1);
  EXPECT_EQ(index_.scopes()[5].parent, -1);
  EXPECT_EQ(index_.scopes()[2].owner, Node("ti", "If_3/then_branch"));
  EXPECT_THAT(index_.BodiesOf(Node("i")), ElementsAre(1, 4));
}

TEST_F(GraphIndexTest, ListsNodeOutputsInsideOut) {
  std::vector<int> outputs;
  for (int i = 0; i < index_.node_output_count(); ++i) outputs.push_back(i);
  const std::string yes = "If_3/then_branch";
  EXPECT_THAT(
      Names(outputs),
      ElementsAre("/k", "/kw", "/a", yes + "/t", yes + "/If_1/then_branch/d",
                  yes + "/If_1/else_branch/d", yes + "/ti",
                  "If_3/else_branch/t", "If_3/else_branch/ti", "/i", "/f", "/y",
                  "/unused", "my.fn::F/t", "my.fn::F/q"));
  EXPECT_EQ(Found("x").kind, Value::Kind::kInput);
  EXPECT_EQ(Found("w").kind, Value::Kind::kInitializer);
  EXPECT_EQ(Found("unused").output, 1);
}

TEST_F(GraphIndexTest, ResolvesNamesOutwards) {
  const int deep = Scope("If_3/then_branch/If_1/then_branch");
  const auto at = [&](const char* name) {
    return index_
        .scopes()[static_cast<size_t>(
            index_.values()[static_cast<size_t>(index_.Resolve(deep, name))]
                .scope)]
        .path;
  };
  EXPECT_EQ(at("d"), "If_3/then_branch/If_1/then_branch");
  EXPECT_EQ(at("t"), "If_3/then_branch");
  EXPECT_EQ(at("x"), "");
  EXPECT_EQ(index_.Resolve(deep, "q"), -1);
  EXPECT_EQ(index_.Resolve(deep, ""), -1);
  EXPECT_EQ(index_.Resolve(Scope("my.fn::F"), "x"), -1);  // sees nothing
}

TEST_F(GraphIndexTest, ReadsIncludeCaptures) {
  EXPECT_THAT(Names(index_.Reads(Node("i"))),
              UnorderedElementsAre("/c", "/a", "/x", "/w"));
  EXPECT_THAT(Names(index_.Reads(Node("ti", "If_3/then_branch"))),
              UnorderedElementsAre("If_3/then_branch/t", "/c", "/w", "/x"));
  EXPECT_THAT(Nodes(index_.Readers(index_.FindIn(0, "a"))),
              ElementsAre("Neg (unnamed node 0)", "If (unnamed node 3)"));
  EXPECT_THAT(Names(index_.Writes(Node("y"))), ElementsAre("/y", "/unused"));
}

TEST_F(GraphIndexTest, FindsCallees) {
  EXPECT_EQ(index_.Callee(Node("f")), Scope("my.fn::F"));
  EXPECT_EQ(index_.Callee(Node("a")), -1);
  EXPECT_EQ(index_.Describe(Node("f")), "F 'call'");
}

TEST_F(GraphIndexTest, MarksConstantsAndOutputs) {
  EXPECT_TRUE(Found("k").constant);
  EXPECT_TRUE(Found("kw").constant);
  EXPECT_TRUE(Found("w").constant);
  EXPECT_FALSE(Found("a").constant);
  EXPECT_FALSE(Found("x").constant);
  EXPECT_FALSE(Found("ti", "If_3/else_branch").constant);
  EXPECT_TRUE(Found("a").is_output);
  EXPECT_FALSE(Found("i").is_output);
  EXPECT_TRUE(Found("q", "my.fn::F").is_output);
}

TEST(GraphIndex, TakesNothingRandomOrOverridableForConstant) {
  onnx::ModelProto model = FromText(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x, float[2] w) => (float[2] y)
    <float[2] w = {1, 2}, float[2] v = {1, 2}> {
      a = Neg (w)
      b = RandomNormalLike (v)
      c = Add (b, v)
      d = Neg (v)
      y = Add (x, d)
    })");
  const GraphIndex index(model);
  const auto constant = [&](const char* name) {
    return index.values()[static_cast<size_t>(index.FindIn(0, name))].constant;
  };
  EXPECT_FALSE(constant("a"));  // w is an input as well
  EXPECT_FALSE(constant("b"));
  EXPECT_FALSE(constant("c"));
  EXPECT_TRUE(constant("d"));
}

TEST(GraphIndex, StandsInvalidGraphs) {
  onnx::ModelProto model = FromText(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) {
      a = Add (b, nobody)
      b = Neg (a)
      b = Abs (x)
      y, y = Split (b)
    })");
  model.mutable_graph()->mutable_node(1)->add_output("");
  const GraphIndex index(model);
  EXPECT_EQ(index.node_output_count(), 5);
  EXPECT_EQ(index.values()[static_cast<size_t>(index.FindIn(0, "b"))].node, 1);
  EXPECT_EQ(index.Reads(0).size(), 1U);
  const onnx::ModelProto nothing;
  EXPECT_TRUE(GraphIndex(nothing).values().empty());
}

TEST(GraphIndex, NormalDomainKnowsOneAlias) {
  EXPECT_EQ(NormalDomain("ai.onnx"), "");
  EXPECT_EQ(NormalDomain("ai.onnx.ml"), "ai.onnx.ml");
}

}  // namespace
}  // namespace onnx_expose::testing
