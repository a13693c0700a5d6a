#include "tests/unit/check/check_testing.h"

namespace onnx_expose {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace testing;  // NOLINT(google-build-using-namespace)

// An If whose then branch is `branch`; 'a' is a value around it.
Skeleton WithBranch(const std::string& branch) {
  return Parse(R"(
    g (float[4] x, bool c) => (float[4] y) {
      [first] a = Neg (x)
      [choose] y = If (c) <
        then_branch = )" +
               branch + R"(,
        else_branch = e () => (float[4] ey) { [eabs] ey = Abs (a) }>
    })");
}

TEST(CheckGraphs, Names) {
  Skeleton model = Base();
  auto& graph = *model.proto.mutable_graph();
  graph.clear_name();
  *graph.add_input() = graph.input(0);
  graph.add_input();
  EXPECT_THAT(Lines(model),
              ElementsAre("error: graph: has no name (ONNX Runtime takes it)",
                          "error: input 'x': is there twice",
                          "error: input 2: has no name",
                          "error: input '': has no type"));
}

TEST(CheckGraphs, BodiesNeedAName) {
  Skeleton model = WithBranch("t () => (float[4] ty) { [tneg] ty = Neg (a) }");
  EXPECT_THAT(Lines(model), IsEmpty());
  model.proto.mutable_graph()
      ->mutable_node(1)
      ->mutable_attribute(0)
      ->mutable_g()
      ->clear_name();
  EXPECT_THAT(Lines(model),
              ElementsAre("error: body 'choose/then_branch': has no name"));
}

TEST(CheckGraphs, InitializerTwice) {
  Skeleton model = Base();
  auto& graph = *model.proto.mutable_graph();
  *graph.add_initializer() = graph.initializer(0);
  EXPECT_THAT(Lines(model),
              ElementsAre("error: initializer 'w': is there twice (ONNX "
                          "Runtime takes the last one)"));
}

TEST(CheckGraphs, InitializersAreInputsInIrVersion3) {
  Skeleton model = Base();
  model.proto.set_ir_version(3);
  EXPECT_THAT(Lines(model),
              ElementsAre("error: graph: in IR version 3 initializers must be "
                          "graph inputs, and one is not: 'w' (ONNX Runtime "
                          "takes it)"));
  auto& graph = *model.proto.mutable_graph();
  *graph.add_input() = graph.input(0);
  graph.mutable_input(1)->set_name("w");
  EXPECT_THAT(Lines(model), IsEmpty());
}

TEST(CheckGraphs, OutputThatNobodyDefines) {
  Skeleton model = Base();
  auto& graph = *model.proto.mutable_graph();
  *graph.add_output() = graph.output(0);
  graph.mutable_output(1)->set_name("zzz");
  EXPECT_THAT(Lines(model),
              ElementsAre("error: output 'zzz': is defined by no node, input "
                          "or initializer of the graph"));
}

TEST(CheckGraphs, OutputsMayNameInputsAndInitializers) {
  Skeleton model = Base();
  auto& graph = *model.proto.mutable_graph();
  for (const char* name : {"x", "w"}) {
    *graph.add_output() = graph.output(0);
    graph.mutable_output(graph.output_size() - 1)->set_name(name);
  }
  EXPECT_THAT(Lines(model), IsEmpty());
}

TEST(CheckGraphs, OutputTwiceIsAWarning) {
  Skeleton model = Base();
  auto& graph = *model.proto.mutable_graph();
  *graph.add_output() = graph.output(0);
  EXPECT_THAT(Lines(model),
              ElementsAre("warning: output 'y': is there twice (readers "
                          "disagree about how many outputs the model has)"));
}

TEST(CheckGraphs, BranchThatReturnsAnOuterValue) {
  EXPECT_THAT(Lines(WithBranch("t () => (float[4] a) { }")),
              ElementsAre("error: choose/then_branch: output 'a': is a value "
                          "from around the body, not one of its own (an "
                          "Identity in the body makes it one)"));
}

TEST(CheckGraphs, SparseConstantAsOutput) {
  Skeleton model = Parse(R"(
    g (float[1,4] x) => (float[1,4] y, float[1,4] k) {
      [k] k = Constant ()
      [n] y = Relu (x)
    })");
  auto* attribute =
      model.proto.mutable_graph()->mutable_node(0)->add_attribute();
  attribute->set_name("sparse_value");
  attribute->set_type(onnx::AttributeProto::SPARSE_TENSOR);
  auto* sparse = attribute->mutable_sparse_tensor();
  sparse->add_dims(1);
  sparse->add_dims(4);
  sparse->mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
  sparse->mutable_values()->add_dims(1);
  sparse->mutable_values()->add_float_data(1);
  sparse->mutable_indices()->set_data_type(onnx::TensorProto::INT64);
  sparse->mutable_indices()->add_dims(1);
  sparse->mutable_indices()->add_int64_data(2);
  EXPECT_THAT(Lines(model),
              ElementsAre("warning: output 'k': is a sparse Constant (ONNX "
                          "Runtime loads the model and fails to run it; an "
                          "Identity between the two helps)"));
}

TEST(CheckGraphs, StaleValueInfoIsOneWarning) {
  Skeleton model = Base();
  auto& graph = *model.proto.mutable_graph();
  graph.add_value_info()->set_name("gone");
  EXPECT_THAT(Lines(model),
              ElementsAre("warning: graph: an entry of value_info names no "
                          "value: 'gone'"));
  graph.add_value_info()->set_name("gone too");
  EXPECT_THAT(Lines(model),
              ElementsAre("warning: graph: 2 entries of value_info name no "
                          "value: 'gone', 'gone too'"));
}

// Before IR version 10 types of values in functions stood there.
TEST(CheckGraphs, ValueInfoOfFunctionValuesIsNotStale) {
  Skeleton model = Parse(R"(
    g (float[4] x) => (float[4] y) { y = my.fn.F (x) }
    <domain: "my.fn", opset_import: ["" : 17]>
    F (p) => (q) { q = Relu (p) })",
                         R"(<ir_version: 8,
                            opset_import: ["" : 17, "my.fn" : 1]>)");
  model.proto.mutable_graph()->add_value_info()->set_name("my.fn::F/q");
  EXPECT_THAT(Lines(model), IsEmpty());
  model.proto.mutable_graph()->mutable_value_info(0)->set_name("my.fn::G/q");
  EXPECT_THAT(Lines(model), ::testing::SizeIs(1));
}

}  // namespace
}  // namespace onnx_expose
