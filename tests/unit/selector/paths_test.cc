#include "selector/paths.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/selector/small_models.h"

namespace onnx_expose {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kDiamond;
using testing::kNested;
using testing::Model;

// All values between two ends, with inputs, in index order.
std::vector<std::string> Between(const GraphIndex& index,
                                 const std::string& from,
                                 const std::string& to) {
  const Marks marks =
      ValuesBetween(index, PathEnd(index, from), PathEnd(index, to));
  std::vector<std::string> names;
  for (size_t i = 0; i < index.values().size(); ++i) {
    if (marks.Has(static_cast<int>(i))) {
      names.emplace_back(index.values()[i].name);
    }
  }
  return names;
}

std::vector<std::string> Between(const std::string& model,
                                 const std::string& from,
                                 const std::string& to) {
  const onnx::ModelProto parsed = Model(model);
  return Between(GraphIndex(parsed), from, to);
}

TEST(PathsTest, BothArmsOfADiamond) {
  EXPECT_THAT(Between(kDiamond, "a", "d"),
              ElementsAre("a", "b1", "b2", "c1", "d"));
}

TEST(PathsTest, EndsMayBeNodesInputsAndOutputs) {
  EXPECT_THAT(Between(kDiamond, "nb1", "b2"), ElementsAre("b1", "b2"));
  EXPECT_THAT(Between(kDiamond, "x", "e"), ElementsAre("e", "x"));
  EXPECT_THAT(Between(kDiamond, "x", "y"),
              ElementsAre("a", "b1", "b2", "c1", "d", "e", "y", "x"));
}

TEST(PathsTest, OneEndIsAPath) {
  EXPECT_THAT(Between(kDiamond, "d", "d"), ElementsAre("d"));
  EXPECT_THAT(Between(kDiamond, "nd", "d"), ElementsAre("d"));
}

TEST(PathsTest, NoneBackwardsOrAcross) {
  EXPECT_THAT(Between(kDiamond, "d", "a"), IsEmpty());
  EXPECT_THAT(Between(kDiamond, "c1", "b2"), IsEmpty());
}

TEST(PathsTest, ValueGoesBeforeNode) {
  const std::string model = R"(
    g (float[1] x) => (float[1] y) {
      [b] a = Relu (x)
      [a] b = Neg (a)
      [c] y = Abs (b)
    })";
  EXPECT_THAT(Between(model, "b", "y"), ElementsAre("b", "y"));
  EXPECT_THAT(Between(model, "a", "c"), ElementsAre("a", "b", "y"));
}

TEST(PathsTest, AllOutputsOfANodeCount) {
  const std::string model = R"(
    g (float[2] x) => (float[1] y, float[1] z) {
      [s] a0, a1 = Split (x)
      y = Relu (a0)
      z = Relu (a1)
    })";
  EXPECT_THAT(Between(model, "s", "z"), ElementsAre("a1", "z"));
  EXPECT_THAT(Between(model, "x", "s"), ElementsAre("a0", "a1", "x"));
  EXPECT_THAT(Between(model, "x", "a1"), ElementsAre("a1", "x"));
}

TEST(PathsTest, InitializersAreEnds) {
  EXPECT_THAT(Between(kNested, "w", "a"), ElementsAre("kw", "a", "w"));
}

TEST(PathsTest, UnknownNamesHaveNoValues) {
  const onnx::ModelProto model = Model(kNested);
  const GraphIndex index(model);
  EXPECT_THAT(PathEnd(index, "nobody"), IsEmpty());
  EXPECT_THAT(PathEnd(index, ""), IsEmpty());
  EXPECT_THAT(PathEnd(index, "ta"), IsEmpty()) << "inside of a branch";
  EXPECT_THAT(PathEnd(index, "tneg"), IsEmpty());
}

TEST(PathsTest, LeadThroughCapturesBodiesAndCalls) {
  EXPECT_THAT(Between(kNested, "a", "y"),
              ElementsAre("a", "ta", "ti", "i", "f", "y", "inner", "r", "p"));
  // The other branch reads x and not a; the condition is computed by nobody.
  EXPECT_THAT(Between(kNested, "x", "i"),
              ElementsAre("a", "ta", "ti", "ea", "ei", "i", "x"));
}

TEST(PathsTest, WhatIsInsideOfOtherCallsStaysOut) {
  const std::string model = R"(
    g (float[1] x) => (float[1] y) {
      a = my.fn.F (x)
      b = Relu (a)
      y = Neg (b)
    }
    <opset_import: ["" : 17], domain: "my.fn">
    F (p) => (r) { inner = Exp (p)
      r = Sqrt (inner) })";
  EXPECT_THAT(Between(model, "a", "y"), ElementsAre("a", "b", "y"));
}

TEST(PathsTest, LoopsCarryThePath) {
  const std::string model = R"(
    g (int64 n, bool c, float[1] x) => (float[1] y) {
      a = Relu (x)
      last = Loop (n, c, a) <body = b (int64 it, bool ci, float[1] s)
        => (bool co, float[1] so) {
          co = Identity (ci)
          t = Neg (s)
          beside = Abs (x)
          so = Add (t, t)
        }>
      y = Relu (last)
    })";
  const auto names = Between(model, "a", "y");
  EXPECT_THAT(names, ::testing::IsSupersetOf({"a", "t", "so", "last", "y"}));
  EXPECT_THAT(names, ::testing::Not(::testing::Contains("beside")));
}

TEST(PathsTest, RecursiveFunctionsEnd) {
  const std::string model = R"(
    g (float[1] x) => (float[1] y) { y = my.fn.F (x) }
    <opset_import: ["" : 17, "my.fn" : 1], domain: "my.fn">
    F (p) => (r) { inner = my.fn.F (p)
      r = Sqrt (inner) })";
  EXPECT_THAT(Between(model, "x", "y"),
              ElementsAre("y", "inner", "r", "x", "p"));
}

TEST(PathsTest, CyclesEnd) {
  onnx::ModelProto model = Model(kDiamond);
  // b1 reads d as well: a, b1, b2, d, b1, ...
  model.mutable_graph()->mutable_node(1)->add_input("d");
  const GraphIndex index(model);
  EXPECT_THAT(Between(index, "x", "y"),
              ElementsAre("a", "b1", "b2", "c1", "d", "e", "y", "x"));
  EXPECT_THAT(Between(index, "d", "b2"), ElementsAre("b1", "b2", "d"));
}

TEST(PathsTest, LongChainsAreNoRecursion) {
  onnx::ModelProto model;
  onnx::GraphProto& graph = *model.mutable_graph();
  constexpr int kNodes = 100000;
  for (int i = 0; i < kNodes; ++i) {
    onnx::NodeProto& node = *graph.add_node();
    node.set_op_type("Relu");
    node.add_input(fmt::format("v{}", i));
    node.add_output(fmt::format("v{}", i + 1));
  }
  graph.add_input()->set_name("v0");
  const GraphIndex index(model);
  EXPECT_EQ(Between(index, "v0", fmt::format("v{}", kNodes)).size(),
            kNodes + 1);
}

// Walks every single path, as the definition says.
class EveryPath {
 public:
  EveryPath(const GraphIndex& index, int to) : index_(index), to_(to) {}

  std::set<int> From(int value) {
    path_.push_back(value);
    if (value == to_) found_.insert(path_.begin(), path_.end());
    for (const int node : index_.Readers(value)) {
      for (const int next : index_.Writes(node)) From(next);
    }
    path_.pop_back();
    return found_;
  }

 private:
  const GraphIndex& index_;
  const int to_;
  std::vector<int> path_;
  std::set<int> found_;
};

TEST(PathsTest, AgreesWithWalkingEveryPath) {
  constexpr unsigned kSeed = 20240607;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 60; ++round) {
    onnx::ModelProto model;
    onnx::GraphProto& graph = *model.mutable_graph();
    graph.add_input()->set_name("v0");
    int values = 1;
    for (int i = 0; i < 8; ++i) {
      onnx::NodeProto& node = *graph.add_node();
      node.set_op_type("Op");
      const int known = values;
      for (unsigned j = 0; j <= random() % 3; ++j) {
        node.add_input(
            fmt::format("v{}", random() % static_cast<unsigned>(known)));
      }
      for (unsigned j = 0; j <= random() % 2; ++j) {
        node.add_output(fmt::format("v{}", values++));
      }
    }
    const GraphIndex index(model);
    for (int from = 0; from < values; ++from) {
      for (int to = 0; to < values; ++to) {
        const Marks marks = ValuesBetween(index, {from}, {to});
        const std::set<int> expected = EveryPath(index, to).From(from);
        for (int i = 0; i < values; ++i) {
          ASSERT_EQ(marks.Has(i), expected.count(i) > 0)
              << "seed " << kSeed << ", round " << round << ", from " << from
              << ", to " << to << ", value " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace onnx_expose
