#include "onnx_expose/selector.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <string>
#include <vector>

#include "tests/unit/selector/small_models.h"

namespace onnx_expose {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kDiamond;
using testing::kNested;
using ::testing::SizeIs;

using Names = std::vector<std::string>;
using testing::Subject;

TEST(SelectorTest, NothingSaidIsAUsageError) {
  SelectorOptions options;
  options.exclude_ops = {"Relu"};
  options.deep = options.node_inputs = options.allow_empty = true;
  const Error error = Subject(kDiamond).Failure(options);
  EXPECT_EQ(error.code(), ExitCode::kUsage);
  EXPECT_THAT(error.message().hint, HasSubstr("--all"));
}

TEST(SelectorTest, AllInNodeOrderOutputsIncluded) {
  SelectorOptions options;
  options.all = true;
  EXPECT_THAT(Subject(kDiamond).Names(options),
              ElementsAre("a", "b1", "b2", "c1", "d", "e", "y"));
}

TEST(SelectorTest, OneKindWidens) {
  const Subject subject(kDiamond);
  SelectorOptions options;
  options.ops = {"Tanh", "Neg", "Tanh"};
  EXPECT_THAT(subject.Names(options), ElementsAre("b1", "e"));
  options = {};
  options.nodes = {"^nb", "=ne"};
  EXPECT_THAT(subject.Names(options), ElementsAre("b1", "b2", "e"));
  options = {};
  options.values = {"[ab]$", "=d"};
  options.exact_values = Names{"c1", "d"};
  EXPECT_THAT(subject.Names(options), ElementsAre("a", "c1", "d"));
}

TEST(SelectorTest, KindsNarrow) {
  const Subject subject(kDiamond);
  SelectorOptions options;
  options.all = true;
  options.values = {"1"};
  options.ops = {"Neg", "Abs"};
  EXPECT_THAT(subject.Names(options), ElementsAre("b1"));
  options.between = {"a", "d"};
  EXPECT_THAT(subject.Names(options), ElementsAre("b1"));
  options.nodes = {"nc1", "nb1"};
  EXPECT_THAT(subject.Names(options), ElementsAre("b1"));
}

TEST(SelectorTest, EachOnceHoweverOftenFound) {
  SelectorOptions options;
  options.values = {"^a", "=a"};
  options.exact_values = Names{"a", "a"};
  options.ops = {"Relu", "ai.onnx::Relu"};
  EXPECT_THAT(Subject(kDiamond).Names(options), ElementsAre("a"));
}

TEST(SelectorTest, ExcludesWin) {
  const Subject subject(kDiamond);
  SelectorOptions options;
  options.all = true;
  options.exclude_ops = {"Neg"};
  options.exclude_nodes = {"b2$", "c1"};
  options.exclude_values = {"=e"};
  const Selection selection = subject.Run(options);
  EXPECT_THAT(selection.warnings, IsEmpty());
  EXPECT_THAT(subject.Names(options), ElementsAre("a", "d", "y"));
  options.exact_values = Names{"e", "d"};
  EXPECT_THAT(subject.Names(options), ElementsAre("d"));
}

TEST(SelectorTest, IdleExcludeIsAWarning) {
  SelectorOptions options;
  options.all = true;
  options.exclude_values = {"=bb1", "=a"};
  options.exclude_ops = {"Concat"};
  options.exclude_nodes = {"^q"};
  const Selection selection = Subject(kDiamond).Run(options);
  EXPECT_THAT(selection.values, SizeIs(6));
  ASSERT_THAT(selection.warnings, SizeIs(3));
  EXPECT_EQ(selection.warnings[0].what,
            "--exclude-ops 'Concat' matches no node");
  EXPECT_EQ(selection.warnings[1].what, "--exclude-nodes '^q' matches no node");
  EXPECT_EQ(selection.warnings[2].what,
            "--exclude-values '=bb1' matches no value");
  EXPECT_EQ(selection.warnings[2].hint, "did you mean 'b1'?");
}

TEST(SelectorTest, ExcludeOfWhatIsLeftOutAnywayIsNoTypo) {
  SelectorOptions options;
  options.all = true;
  options.exclude_values = {"=kw", "=ta"};
  EXPECT_THAT(Subject(kNested).Run(options).warnings, IsEmpty());
}

TEST(SelectorTest, ConstantsOnlyIfAskedFor) {
  const Subject subject(kNested);
  SelectorOptions options;
  options.all = true;
  EXPECT_THAT(subject.Names(options), ElementsAre("a", "i", "f", "y"));
  options.include_constants = true;
  EXPECT_THAT(subject.Names(options),
              ElementsAre("k", "kw", "a", "i", "f", "y"));
}

TEST(SelectorTest, ConstantsAreLeftOutOfPathsAndInputsToo) {
  const Subject subject(kNested);
  SelectorOptions options;
  options.between = {"k", "a"};
  EXPECT_THAT(subject.Names(options), ElementsAre("a"));
  options = {};
  options.nodes = {"=first"};
  options.node_inputs = true;
  EXPECT_THAT(subject.Names(options), ElementsAre("a"));
  options.include_constants = true;
  EXPECT_THAT(subject.Names(options), ElementsAre("kw", "a"));
}

TEST(SelectorTest, ConstantThatIsAnOutputAlreadyIsThere) {
  SelectorOptions options;
  options.all = true;
  EXPECT_THAT(Subject(R"(g () => (float k) {
                k = Constant <value = float {1}> ()
              })")
                  .Names(options),
              ElementsAre("k"));
}

TEST(SelectorTest, AllOfAGraphWithoutNodesIsNothing) {
  const Subject subject("g (float x) => (float x) {}");
  SelectorOptions options;
  options.all = true;
  EXPECT_THAT(subject.Names(options), IsEmpty());
  options.ops = {"Relu"};
  EXPECT_EQ(subject.Failure(options).code(), ExitCode::kRefused);
}

TEST(SelectorTest, DeepTakesWhatIsInside) {
  const Subject subject(kNested);
  SelectorOptions options;
  options.all = options.deep = true;
  EXPECT_THAT(subject.Names(options),
              ElementsAre("a", "choose/then_branch/ta", "choose/then_branch/ti",
                          "choose/else_branch/ea", "choose/else_branch/ei", "i",
                          "f", "y", "my.fn::F/inner", "my.fn::F/r"));
  options = {};
  options.deep = true;
  options.ops = {"Neg", "Relu"};
  EXPECT_THAT(subject.Names(options),
              ElementsAre("choose/then_branch/ta", "y"));
}

TEST(SelectorTest, PatternTakesOnlyWhatIsOutside) {
  SelectorOptions options;
  options.values = {"i"};
  EXPECT_THAT(Subject(kNested).Names(options), ElementsAre("i"));
}

TEST(SelectorTest, DeepPathsGoThroughBodies) {
  const Subject subject(kNested);
  SelectorOptions options;
  options.between = {"a", "i"};
  EXPECT_THAT(subject.Names(options), ElementsAre("a", "i"));
  options.deep = true;
  EXPECT_THAT(
      subject.Names(options),
      ElementsAre("a", "choose/then_branch/ta", "choose/then_branch/ti", "i"));
}

TEST(SelectorTest, NodeInputsAreWhatOtherNodesCompute) {
  const Subject subject(kDiamond);
  SelectorOptions options;
  options.ops = {"Add", "Tanh"};
  options.node_inputs = true;
  EXPECT_THAT(subject.Names(options), ElementsAre("b2", "c1", "d", "e"));
  // Other kinds don't narrow them, excludes do.
  options.values = {"=d"};
  options.exclude_ops = {"Sigmoid"};
  EXPECT_THAT(subject.Names(options), ElementsAre("b2", "d"));
}

TEST(SelectorTest, NodeInputsIncludeCaptures) {
  const Subject subject(kNested);
  SelectorOptions options;
  options.ops = {"If"};
  options.node_inputs = true;
  EXPECT_THAT(subject.Names(options), ElementsAre("a", "i"));
  options.ops = {"Neg"};
  options.deep = true;
  EXPECT_THAT(subject.Names(options),
              ElementsAre("a", "choose/then_branch/ta"));
}

TEST(SelectorTest, TypesByElement) {
  const Subject subject(kDiamond, {{"a", "float[1,4]"},
                                   {"b1", "seq(float16[2])"},
                                   {"b2", "optional(seq(int64))"},
                                   {"c1", "sparse(float[3,4])"},
                                   {"d", "seq(map(int64,float))"},
                                   {"y", "float16"}});
  SelectorOptions options;
  options.types = {"float"};
  EXPECT_THAT(subject.Names(options), ElementsAre("a", "c1", "d"));
  options.types = {"float16", "int64"};
  EXPECT_THAT(subject.Names(options), ElementsAre("b1", "b2", "y"));
  options.ops = {"Neg", "Relu"};
  EXPECT_THAT(subject.Names(options), ElementsAre("b1"));
}

TEST(SelectorTest, EveryTermMustSelectSomething) {
  const Subject subject(kDiamond, {{"a", "float"}});
  const auto refused = [&](const SelectorOptions& options) {
    EXPECT_EQ(subject.Failure(options).code(), ExitCode::kRefused);
    SelectorOptions lenient = options;
    lenient.allow_empty = true;
    return subject.Names(lenient);
  };
  SelectorOptions options;
  options.ops = {"Relu", "Nope"};
  EXPECT_THAT(refused(options), ElementsAre("a"));
  options = {};
  options.nodes = {"na", "q"};
  EXPECT_THAT(refused(options), ElementsAre("a"));
  options = {};
  options.values = {"=a", "=q"};
  EXPECT_THAT(refused(options), ElementsAre("a"));
  options = {};
  options.values = {"=a"};
  options.exact_values = Names{"q"};
  EXPECT_THAT(refused(options), ElementsAre("a"));
  options = {};
  options.types = {"float", "bool"};
  EXPECT_THAT(refused(options), ElementsAre("a"));
  options = {};
  options.between = {"d", "a"};
  EXPECT_THAT(refused(options), IsEmpty());
  options.between = {"a", "nobody"};
  EXPECT_THAT(refused(options), IsEmpty());
}

TEST(SelectorTest, ListWithoutNamesSelectsNothing) {
  const Subject subject(kDiamond);
  SelectorOptions options;
  options.exact_values.emplace();
  EXPECT_EQ(subject.Failure(options).code(), ExitCode::kRefused);
  options.ops = {"Relu"};
  EXPECT_EQ(subject.Failure(options).code(), ExitCode::kRefused);
  options.allow_empty = true;
  EXPECT_THAT(subject.Names(options), IsEmpty());
}

TEST(SelectorTest, AllowEmptyForgivesNoUsageError) {
  SelectorOptions options;
  options.allow_empty = true;
  options.values = {"("};
  EXPECT_EQ(Subject(kDiamond).Failure(options).code(), ExitCode::kUsage);
  options.values = {"a"};
  options.types = {"flaot"};
  EXPECT_EQ(Subject(kDiamond).Failure(options).code(), ExitCode::kUsage);
  options.types = {};
  options.exclude_nodes = {"*"};
  EXPECT_EQ(Subject(kDiamond).Failure(options).code(), ExitCode::kUsage);
}

TEST(SelectorTest, UsageErrorsComeFirst) {
  SelectorOptions options;
  options.ops = {"Nope"};
  options.exclude_values = {"("};
  EXPECT_EQ(Subject(kDiamond).Failure(options).code(), ExitCode::kUsage);
}

TEST(SelectorTest, UnnamedNodesMatchNoPattern) {
  SelectorOptions options;
  options.nodes = {""};
  EXPECT_THAT(Subject(R"(g (float x) => (float y) {
                a = Relu (x)
                [n] y = Neg (a)
              })")
                  .Names(options),
              ElementsAre("y"));
}

TEST(SelectorTest, OmittedOutputsAreNoValues) {
  SelectorOptions options;
  options.all = true;
  EXPECT_THAT(Subject(R"(g (float[4] x) => (float[2] y) {
                "", b = Split (x)
                y = Neg (b)
              })")
                  .Names(options),
              ElementsAre("b", "y"));
}

// Time of n values must stay near n; a quadratic search would take minutes.
// Time of the processor: what else the machine does is no failure.
TEST(SelectorTest, HundredThousandNodes) {
  onnx::ModelProto model;
  onnx::GraphProto& graph = *model.mutable_graph();
  SelectorOptions options;
  options.exact_values.emplace();
  for (int i = 0; i < 100000; ++i) {
    onnx::NodeProto& node = *graph.add_node();
    node.set_op_type("Relu");
    node.set_name(fmt::format("n{}", i));
    node.add_input(fmt::format("v{}", i));
    node.add_output(fmt::format("v{}", i + 1));
    options.exact_values->push_back(node.output(0));
    options.exclude_nodes.push_back("=" + node.name() + "x");
  }
  options.exclude_nodes.resize(4);
  options.ops = {"Relu"};
  options.between = {"n0", "v100000"};
  options.node_inputs = true;
  const Subject subject(std::move(model));
  const std::clock_t start = std::clock();
  EXPECT_THAT(subject.Run(options).values, SizeIs(100000));
  EXPECT_LT(std::clock() - start, 20 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace onnx_expose
