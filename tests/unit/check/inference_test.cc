#include "tests/unit/check/check_testing.h"

namespace onnx_expose {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace testing;  // NOLINT(google-build-using-namespace)

constexpr char kCustom[] =
    R"(<ir_version: 8, opset_import: ["" : 17, "my.dom" : 1]>)";

TEST(CheckInference, AllContradictionsAreReported) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[1,4] x, int64[1,4] i) => (float[p,q] y)
    <float[5,1] w = {1, 2, 3, 4, 5}> {
      [clash] a = Add (x, i)
      [mm] b = MatMul (x, w)
      [not] c = Not (x)
      [fine] y = Relu (x)
    })")),
              ElementsAre("error: node 'clash' (Add): b has inconsistent type "
                          "tensor(int64)",
                          "error: node 'mm' (MatMul): incompatible dimensions "
                          "for matrix multiplication",
                          "error: node 'not' (Not): x typestr: T, has "
                          "unsupported type: tensor(float)"));
}

// One mistake is one finding: nodes behind it have nothing to go on.
TEST(CheckInference, NodesBehindAMistakeAreNotBlamed) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[1,4] x) => (float[p,q] y)
    <float[5,1] w = {1, 2, 3, 4, 5}> {
      [mm] b = MatMul (x, w)
      [cat] c = Concat <axis = 0> (b, x)
      [last] y = Relu (c)
    })")),
              ElementsAre(HasSubstr("node 'mm'")));
}

TEST(CheckInference, WrongDeclaredShapeIsAWarningThatTheCheckerRefuses) {
  const Skeleton model = Parse(R"(
    g (float[I,2] x) => (float[I] y) <float[2] bias = {1, 2}> {
      [act] hidden = Relu (x)
      [bad_add] y = Add (hidden, bias)
    })");
  EXPECT_THAT(Lines(model),
              ElementsAre("refused: output 'y': declares float[I], but node "
                          "'bad_add' (Add) computes float[I,2] (ONNX Runtime "
                          "warns and goes on, unless told to be strict)"));
  EXPECT_TRUE(Refused(model));
}

TEST(CheckInference, WrongDeclaredTypeIsAnError) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[1,4] x) => (float[1,4] y) <int64[1,4] a> {
      [n0] a = Relu (x)
      [n1] y = Neg (a)
    })")),
              ElementsAre("error: value_info 'a': declares int64[1,4], but "
                          "node 'n0' (Relu) computes float[1,4] (ONNX Runtime "
                          "refuses it as well)"));
}

TEST(CheckInference, FixedDimForASymbol) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[N,4] x) => (float[5,4] y) { [n] y = Relu (x) })")),
              ElementsAre("warning: output 'y': declares float[5,4], but node "
                          "'n' (Relu) computes float[N,4] (ONNX Runtime warns "
                          "in each run with another size, and its optimiser "
                          "takes the fixed one for true)"));
}

TEST(CheckInference, SymbolsFitAnything) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[1,4] x) => (float[N,N] y) { y = Relu (x) })")),
              IsEmpty());
}

// What inference can't find is taken from value_info.
TEST(CheckInference, DeclaredTypesFillIn) {
  const std::string graph = R"(
    g (float[1,4] x) => (float[p,q] y)
    <float[1,4] f, float[5,1] w = {1, 2, 3, 4, 5}> {
      [foo] f = my.dom.Foo (x)
      [mm] y = MatMul (f, w)
    })";
  EXPECT_THAT(Lines(Parse(graph, kCustom)),
              ElementsAre(HasSubstr("operator 'my.dom::Foo'"),
                          "error: node 'mm' (MatMul): incompatible dimensions "
                          "for matrix multiplication"));
}

TEST(CheckInference, NothingIsKnownBehindACustomOperator) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[1,4] x) => (float[1,4] y) {
      [foo] f = my.dom.Foo (x)
      [cat] y = Concat <axis = 0> (f, x)
    })",
                          kCustom)),
              ElementsAre(HasSubstr("operator 'my.dom::Foo'")));
}

// Behind an unknown operator the checker is silent, so --strict must be.
TEST(CheckInference, WrongShapeBehindACustomOperator) {
  const Skeleton model = Parse(R"(
    g (float[1,4] x) => (float[1,5] y) {
      [foo] f = my.dom.Foo (x)
      [n] y = Relu (x)
    })",
                               kCustom);
  EXPECT_THAT(Lines(model),
              ElementsAre(HasSubstr("operator 'my.dom::Foo'"),
                          HasSubstr("warning: output 'y': declares")));
  EXPECT_FALSE(Refused(model));
}

TEST(CheckInference, InsideBodies) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[1,4] x, bool c) => (float[1,4] y) {
      [choose] y = If (c) <
        then_branch = t () => (float[1,5] q) { [tneg] q = Neg (x) },
        else_branch = e () => (float[1,4] q) {
          [enot] r = Not (x)
          [eabs] q = Abs (x)
        }>
    })")),
              ElementsAre("refused: choose/then_branch: output 'q': declares "
                          "float[1,5], but node 'tneg' (Neg) computes "
                          "float[1,4] (ONNX Runtime warns and goes on, unless "
                          "told to be strict)",
                          "error: choose/else_branch: node 'enot' (Not): x "
                          "typestr: T, has unsupported type: tensor(float)"));
}

TEST(CheckInference, LoopBody) {
  const std::string graph = R"(
    g (float[1,4] x, int64 n, bool c) => (float[p,q] y) {
      [loop] y = Loop (n, c, x) <
        body = b (int64 i, bool ci, float[1,4] v) => (bool co, TYPE vo) {
          [keep] co = Identity (ci)
          [step] vo = Neg (v)
        }>
    })";
  const auto with = [&](const std::string& type) {
    std::string text = graph;
    text.replace(text.find("TYPE"), 4, type);
    return Lines(Parse(text));
  };
  EXPECT_THAT(with("float[1,4]"), IsEmpty());
  EXPECT_THAT(with("int64[1,4]"),
              ElementsAre(HasSubstr("loop/body: output 'vo': declares int64")));
}

TEST(CheckInference, UnsortedNodesAreSortedFirst) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[1,4] x) => (float[1,5] y) {
      [n1] y = Neg (a)
      [n0] a = Relu (x)
    })")),
              ElementsAre(HasSubstr("reads 'a' before"),
                          HasSubstr("declares float[1,5], but node 'n1'")));
}

TEST(CheckInference, ConstantsAreKnown) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[1,4] x) => (float[3,3] y) {
      s = Constant <value_ints = [2, 2]> ()
      [n] y = Reshape (x, s)
    })")),
              ElementsAre(HasSubstr("node 'n' (Reshape) computes float[2,2]")));
}

// The library reads a tensor that lies in another file as little as ONNX
// Runtime does.
TEST(CheckInference, ShapeInAnotherFile) {
  Skeleton model = Parse(R"(
    g (float[1,4] x) => (float[2,2] y) <int64[2] s = {2, 2}> {
      [n] y = Reshape (x, s)
    })");
  auto* tensor = model.proto.mutable_graph()->mutable_initializer(0);
  tensor->clear_int64_data();
  tensor->set_data_location(onnx::TensorProto::EXTERNAL);
  auto* entry = tensor->add_external_data();
  entry->set_key("location");
  entry->set_value("/dev/null");
  EXPECT_THAT(Lines(model), ElementsAre(HasSubstr("is an absolute path")));
}

// The library would make a list of a billion sizes, or read behind its end.
TEST(CheckInference, HostileSplit) {
  const auto split = [](const std::string& parts) {
    return Lines(
        Parse("g (float[4000000000] x) => (float[p] a) { [n] a, b = "
              "Split <axis = 0, num_outputs = " +
                  parts + "> (x) }",
              R"(<ir_version: 8, opset_import: ["" : 18]>)"));
  };
  EXPECT_THAT(split("2"), IsEmpty());
  EXPECT_THAT(split("1000000000"),
              ElementsAre("error: node 'n' (Split): has num_outputs "
                          "1000000000, but 2 outputs"));
  EXPECT_THAT(split("1"), SizeIs(1));
}

// It would read dims in front of the first.
TEST(CheckInference, HostileGatherNd) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[2,2] x, int64[2,1] i) => (float[p] y) {
      [n] y = GatherND <batch_dims = -5> (x, i)
    })")),
              ElementsAre("error: node 'n' (GatherND): has batch_dims -5"));
}

// It would make a shape of that many dims.
TEST(CheckInference, HostileExpand) {
  EXPECT_THAT(Lines(Parse(R"(
    g (float[4] x, int64[9223372036854775807] s) => (float[p] y) {
      [n] y = Expand (x, s)
    })",
                          R"(<ir_version: 8, opset_import: ["" : 9]>)")),
              ElementsAre("error: node 'n' (Expand): asks for a tensor of "
                          "9223372036854775807 dims"));
}

// A rank that no one has, times the nodes behind it, would be gigabytes.
TEST(CheckInference, HugeRanksAreForgotten) {
  std::string dims = "1";
  for (int i = 0; i < 100000; ++i) dims += ",1";
  std::string nodes;
  std::string last = "x";
  for (int i = 0; i < 2000; ++i) {
    const std::string next = "v" + std::to_string(i);
    nodes += next + " = Relu (" + last + ")\n";
    last = next;
  }
  EXPECT_THAT(Lines(Parse("g (float[" + dims + "] x) => (float[1] y) { " +
                          nodes + "y = Relu (" + last + ") }")),
              IsEmpty());
}

}  // namespace
}  // namespace onnx_expose
