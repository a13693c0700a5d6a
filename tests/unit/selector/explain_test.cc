#include "selector/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/selector/small_models.h"

namespace onnx_expose {
namespace {

using testing::kDiamond;
using testing::kNested;
using testing::Subject;

std::string Text(const Subject& subject, const SelectorOptions& options) {
  const Error error = subject.Failure(options);
  EXPECT_EQ(error.code(), ExitCode::kRefused);
  const Message& message = error.message();
  return message.what + " | " + message.note + " | " + message.hint;
}

std::string Ops(const Subject& subject, const std::string& op) {
  SelectorOptions options;
  options.ops = {op};
  return Text(subject, options);
}

std::string Nodes(const Subject& subject, const std::string& pattern) {
  SelectorOptions options;
  options.nodes = {pattern};
  return Text(subject, options);
}

std::string Values(const Subject& subject, const std::string& pattern) {
  SelectorOptions options;
  options.values = {pattern};
  return Text(subject, options);
}

std::string Listed(const Subject& subject, std::vector<std::string> names) {
  SelectorOptions options;
  options.exact_values.emplace(std::move(names));
  return Text(subject, options);
}

std::string Between(const Subject& subject, const std::string& from,
                    const std::string& to) {
  SelectorOptions options;
  options.between = {from, to};
  return Text(subject, options);
}

constexpr char kListHint[] =
    "'onnx-expose list MODEL' shows the names there are";

TEST(ExplainTest, UnknownOp) {
  const Subject subject(kDiamond);
  EXPECT_EQ(Ops(subject, "relu"),
            "--ops 'relu' matches no node | op types present: 'Abs', 'Add', "
            "'Neg', 'Relu', 'Sigmoid', 'Sub', 'Tanh' | did you mean 'Relu'?");
  EXPECT_EQ(Ops(subject, "S.*"),
            "--ops 'S.*' matches no node | op types present: 'Abs', 'Add', "
            "'Neg', 'Relu', 'Sigmoid', 'Sub', 'Tanh' | --ops takes op types as "
            "they are, no patterns; --nodes and --values take patterns");
}

TEST(ExplainTest, OpOfAnotherDomain) {
  const Subject subject(R"(g (float x) => (float y) {
    a = com.microsoft.Gelu (x)
    b = Gelu (a)
    y = Gelu (b)
  })");
  constexpr char kPresent[] =
      " matches no node | op types present: 'Gelu', 'com.microsoft::Gelu' | ";
  EXPECT_EQ(Ops(subject, "other::Gelu"), std::string("--ops 'other::Gelu'") +
                                             kPresent +
                                             "did you mean 'ai.onnx::Gelu'?");
  EXPECT_EQ(Ops(subject, "com.microsft::Gelu"),
            std::string("--ops 'com.microsft::Gelu'") + kPresent +
                "did you mean 'com.microsoft::Gelu'?");
  EXPECT_EQ(Ops(subject, "Glu"),
            std::string("--ops 'Glu'") + kPresent + "did you mean 'Gelu'?");
}

TEST(ExplainTest, ManyOpTypesFrequentOnesFirst) {
  std::string model = "g (float x) => (float y) {\n";
  for (int i = 0; i < 12; ++i) {
    model += "v" + std::to_string(i) + " = Op" + std::to_string(i) + " (x)\n";
  }
  const Subject subject(model + "y = Op9 (v9) }");
  EXPECT_EQ(Ops(subject, "Convolution"),
            "--ops 'Convolution' matches no node | op types present: 'Op9', "
            "'Op0', 'Op1', 'Op10', 'Op11', 'Op2', 'Op3', 'Op4' ... and 4 more "
            "| ");
}

TEST(ExplainTest, NearValueName) {
  const Subject subject(R"(g (float x) => (float y) {
    mask = Relu (x)
    "/enc/Relu_out" = Neg (mask)
    y = Abs ("/enc/Relu_out")
  })");
  EXPECT_EQ(Values(subject, "=msk"),
            "--values '=msk' matches no value |  | did you mean 'mask'?");
  EXPECT_EQ(Values(subject, "^msk$"),
            "--values '^msk$' matches no value |  | did you mean 'mask'?");
  EXPECT_EQ(
      Values(subject, "^zebra"),
      std::string("--values '^zebra' matches no value |  | ") + kListHint);
  EXPECT_EQ(Values(subject, "relu_"),
            "--values 'relu_' matches no value |  | letter case differs: "
            "'(?i)relu_' matches 1 name");
  EXPECT_EQ(Values(subject, "=/enc/.*"),
            "--values '=/enc/.*' matches no value |  | '=' means that exact "
            "name; '/enc/.*' matches 1 name");
  EXPECT_EQ(Values(subject, "="),
            std::string("--values '=' matches no value |  | ") + kListHint);
}

TEST(ExplainTest, OpTypeForAName) {
  const Subject subject(kDiamond);
  EXPECT_EQ(Values(subject, "Tanh"),
            "--values 'Tanh' matches no value |  | 'Tanh' is an op type: --ops "
            "'Tanh'");
  EXPECT_EQ(Nodes(subject, "=Tanh"),
            "--nodes '=Tanh' matches no node |  | 'Tanh' is an op type: --ops "
            "'Tanh'");
}

TEST(ExplainTest, NodeNameForAValue) {
  const Subject subject(R"(g (float x) => (float y) {
    [n0] a = Relu (x)
    [s] b, c = Split (a)
    [out] y = Abs (b)
  })");
  EXPECT_EQ(Values(subject, "=n0"),
            "--values '=n0' matches no value | Relu 'n0' is a node, its output "
            "is 'a' | for nodes use --nodes '=n0'");
  EXPECT_EQ(Values(subject, "^s"),
            "--values '^s' matches no value | Split 's' is a node, its outputs "
            "are 'b', 'c' | for nodes use --nodes '^s'");
}

TEST(ExplainTest, ValueNameForANode) {
  EXPECT_EQ(Nodes(Subject(kDiamond), "=b2"),
            "--nodes '=b2' matches no node | 'b2' is a value, output of Abs "
            "'nb2' | for values use --values '=b2'");
}

TEST(ExplainTest, NearNodeName) {
  EXPECT_EQ(Nodes(Subject(kDiamond), "=nb3"),
            "--nodes '=nb3' matches no node |  | did you mean 'nb1'?");
}

TEST(ExplainTest, NoNodeHasAName) {
  EXPECT_EQ(Nodes(Subject("g (float x) => (float y) { y = Relu (x) }"), "n0"),
            "--nodes 'n0' matches no node | no node has a name | by op type "
            "--ops, by value --values");
}

TEST(ExplainTest, NodeWithoutOutputs) {
  EXPECT_EQ(Nodes(Subject(R"(g (float x) => (float y) {
                    [print] "" = my.fn.Print (x)
                    [n] y = Relu (x)
                  })"),
                  "print"),
            "--nodes 'print' matches only nodes without outputs | the first is "
            "Print 'print' | ");
}

TEST(ExplainTest, InputOrInitializer) {
  const Subject subject(kNested);
  EXPECT_EQ(Values(subject, "^x$"),
            "--values '^x$' matches no value | 'x' is a graph input, and only "
            "what nodes compute can be selected | 'a' is computed from it");
  EXPECT_EQ(Values(subject, "=w"),
            "--values '=w' matches no value | 'w' is an initializer, and only "
            "what nodes compute can be selected | ");
  EXPECT_EQ(Listed(subject, {"a", "c"}),
            "--values-from 'c' matches no value | 'c' is a graph input, and "
            "only what nodes compute can be selected | 'i' is computed from "
            "it");
  EXPECT_EQ(Values(subject, "=p"),
            "--values '=p' matches no value | 'p' is an input of 'my.fn::F', "
            "and only what nodes compute can be selected | ");
}

TEST(ExplainTest, OnlyInside) {
  const Subject subject(kNested);
  constexpr char kTail[] = " |  | take them with --deep";
  EXPECT_EQ(Values(subject, "=ta"),
            std::string("--values '=ta' matches only values inside bodies and "
                        "functions, such as 'ta' in 'choose/then_branch'") +
                kTail);
  EXPECT_EQ(Nodes(subject, "^t"),
            std::string("--nodes '^t' matches only values inside bodies and "
                        "functions, such as 'ta' in 'choose/then_branch'") +
                kTail);
  EXPECT_EQ(Ops(subject, "Exp"),
            std::string("--ops 'Exp' matches only values inside bodies and "
                        "functions, such as 'inner' in 'my.fn::F'") +
                kTail);
  EXPECT_EQ(Listed(subject, {"inner"}),
            std::string("--values-from 'inner' matches only values inside "
                        "bodies and functions, such as 'inner' in 'my.fn::F'") +
                kTail);
}

TEST(ExplainTest, OnlyConstants) {
  const Subject subject(kNested);
  EXPECT_EQ(Nodes(subject, "fold"),
            "--nodes 'fold' matches only values that depend on nothing but "
            "constants, such as 'kw' |  | take them with --include-constants");
  EXPECT_EQ(Values(subject, "=tk"),
            "--values '=tk' matches only values inside bodies and functions "
            "that depend on nothing but constants, such as 'tk' in "
            "'choose/then_branch' |  | take them with --deep and "
            "--include-constants");
  EXPECT_EQ(Values(subject, "^(kw|ta)$"),
            "--values '^(kw|ta)$' matches only values that depend on nothing "
            "but constants, or inside bodies and functions, such as 'kw' |  | "
            "take them with --include-constants or --deep");
  EXPECT_EQ(Between(subject, "w", "kw"),
            "--between 'w kw' matches only values that depend on nothing but "
            "constants, such as 'kw' |  | take them with --include-constants");
}

TEST(ExplainTest, AllAreConstants) {
  SelectorOptions options;
  options.all = true;
  EXPECT_EQ(Text(Subject(R"(g (float x) => (float x) {
                   k = Constant <value = float {1}> ()
                 })"),
                 options),
            "the selection matches only values that depend on nothing but "
            "constants, such as 'k' |  | take them with --include-constants");
}

TEST(ExplainTest, ListedNamesThatAreMissing) {
  const Subject subject(kDiamond);
  EXPECT_EQ(Listed(subject, {"a", "zebra"}),
            std::string("--values-from names a value that is not there: "
                        "'zebra' |  | ") +
                kListHint);
  EXPECT_EQ(Listed(subject, {"b3", "a", "x", "ee"}),
            "--values-from names 2 values that are not there: 'b3', 'ee' |  | "
            "did you mean 'b1', 'e'?");
  std::vector<std::string> names;
  for (int i = 0; i < 12; ++i) names.push_back("zebra" + std::to_string(i));
  EXPECT_THAT(Listed(subject, names),
              ::testing::StartsWith("--values-from names 12 values that are "
                                    "not there: 'zebra0', 'zebra1', 'zebra2', "
                                    "'zebra3', 'zebra4', 'zebra5', 'zebra6', "
                                    "'zebra7' ... and 4 more | "));
}

TEST(ExplainTest, NoValueOfThatType) {
  const Subject subject(kDiamond, {{"a", "float"}, {"y", "int64"}});
  SelectorOptions options;
  options.types = {"bool"};
  EXPECT_EQ(Text(subject, options),
            "--types 'bool' matches no value | element types present: "
            "'float', 'int64' | the type of 5 values is not known; --type "
            "NAME=TYPE says it");
}

TEST(ExplainTest, UnknownTypeName) {
  SelectorOptions options;
  options.types = {"flaot"};
  const Error error = Subject(kDiamond).Failure(options);
  EXPECT_EQ(error.code(), ExitCode::kUsage);
  EXPECT_THAT(error.what(), ::testing::HasSubstr("'flaot'"));
}

TEST(ExplainTest, NoPath) {
  const Subject subject(kDiamond);
  EXPECT_EQ(Between(subject, "d", "na"),
            "no path leads from 'd' to 'na' | one leads the other way | "
            "--between 'na' 'd'");
  EXPECT_EQ(Between(subject, "c1", "b2"),
            "no path leads from 'c1' to 'b2' | none leads the other way either "
            "| ");
  EXPECT_EQ(Between(subject, "x", "x"),
            "no value that a node computes lies between 'x' and 'x' |  | ");
}

TEST(ExplainTest, EndThatIsNotThere) {
  const Subject subject(kNested);
  EXPECT_EQ(Between(subject, "x", "chose"),
            "--between: there is no value or node 'chose' |  | did you mean "
            "'choose'?");
  EXPECT_EQ(Between(subject, "ta", "y"),
            "--between: there is no value or node 'ta' in the main graph | "
            "'ta' in 'choose/then_branch' lies inside, where --between has no "
            "ends | ");
}

TEST(ExplainTest, NothingFitsAllKinds) {
  SelectorOptions options;
  options.ops = {"Relu", "Neg"};
  options.values = {"=e"};
  EXPECT_EQ(Text(Subject(kDiamond), options),
            "nothing is selected: no value matches all kinds of flags at once "
            "| --ops matches 2 values, --values matches 1 value | flags of one "
            "kind widen the selection, different kinds narrow it");
}

TEST(ExplainTest, WhatFitsAllKindsIsHidden) {
  SelectorOptions options;
  options.ops = {"Neg"};
  options.values = {"1$"};
  EXPECT_EQ(Text(Subject(R"(g (float x) => (float y) {
                   k = Constant <value = float {1}> ()
                   k1 = Neg (k)
                   a1 = Add (x, k1)
                   b2 = Neg (a1)
                   y = Relu (b2)
                 })"),
                 options),
            "the selection matches only values that depend on nothing but "
            "constants, such as 'k1' |  | take them with --include-constants");
}

TEST(ExplainTest, ExcludesTakeOutEverything) {
  SelectorOptions options;
  options.ops = {"Neg"};
  options.exclude_values = {"b"};
  EXPECT_EQ(Text(Subject(kDiamond), options),
            "nothing is selected: the excludes take out the only value that "
            "matches |  | ");
  options.ops = {"Neg", "Abs"};
  EXPECT_EQ(Text(Subject(kDiamond), options),
            "nothing is selected: the excludes take out all 2 values that "
            "match |  | ");
}

TEST(ExplainTest, WhatExposingAddedIsNotThere) {
  onnx::ModelProto model = testing::Model(kDiamond);
  onnx::NodeProto& node = *model.mutable_graph()->add_node();
  node.set_op_type("Identity");
  node.set_name("added_node");
  node.set_doc_string("onnx-expose: (added) Relu 'na' output 0");
  node.add_input("a");
  node.add_output("added_value");
  const Subject subject(std::move(model));
  EXPECT_EQ(
      Nodes(subject, "=added_node"),
      std::string("--nodes '=added_node' matches no node |  | ") + kListHint);
  EXPECT_EQ(
      Nodes(subject, "=addednode"),
      std::string("--nodes '=addednode' matches no node |  | ") + kListHint);
  EXPECT_EQ(
      Values(subject, "=addedvalue"),
      std::string("--values '=addedvalue' matches no value |  | ") + kListHint);
  EXPECT_EQ(Ops(subject, "Identity"),
            "--ops 'Identity' matches no node | op types present: 'Abs', "
            "'Add', 'Neg', 'Relu', 'Sigmoid', 'Sub', 'Tanh' | ");
}

TEST(ExplainTest, ExcludesNameTheirOwnFlags) {
  SelectorOptions options;
  options.all = true;
  options.exclude_nodes = {"=b2"};
  options.exclude_values = {"=nb2"};
  const Selection selection = Subject(kDiamond).Run(options);
  ASSERT_EQ(selection.warnings.size(), 2);
  EXPECT_EQ(selection.warnings[0].hint,
            "for values use --exclude-values '=b2'");
  EXPECT_EQ(selection.warnings[1].hint, "for nodes use --exclude-nodes '=nb2'");
}

}  // namespace
}  // namespace onnx_expose
