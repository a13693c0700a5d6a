#include "tests/unit/check/check_testing.h"

namespace onnx_expose {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace testing;  // NOLINT(google-build-using-namespace)

constexpr char kImports[] = R"(<ir_version: 10,
    opset_import: ["" : 17, "my.fn" : 1]>)";

// y = F(x), with these functions.
Skeleton Calling(const std::string& functions,
                 const std::string& call = "[call] y = my.fn.F (x)") {
  return Parse("g (float[4] x) => (float[4] y) { " + call + " }\n" + functions,
               kImports);
}

// A function F with this head and body.
std::string Function(const std::string& signature, const std::string& body,
                     const std::string& name = "F") {
  return R"(<domain: "my.fn", opset_import: ["" : 17, "my.fn" : 1]> )" + name +
         " " + signature + " { " + body + " }\n";
}

TEST(CheckFunctions, ValidOne) {
  EXPECT_THAT(Lines(Calling(Function("(p) => (q)", "q = Neg (p)"))), IsEmpty());
}

TEST(CheckFunctions, CallsItself) {
  EXPECT_THAT(Lines(Calling(Function("(p) => (q)", "[again] q = my.fn.F (p)"))),
              ElementsAre("error: function 'my.fn::F': calls itself",
                          "warning: model: types and shapes are not checked: a "
                          "function calls itself"));
}

TEST(CheckFunctions, CallEachOtherFromABody) {
  const Skeleton model = Calling(Function("(p) => (q)", "q = my.fn.G (p)") +
                                 Function("(p) => (q)", R"(
          c = Constant <value = bool {1}> ()
          q = If (c) <
            then_branch = t () => (float[4] s) { s = my.fn.F (p) },
            else_branch = e () => (float[4] s) { s = Abs (p) }>)",
                                          "G"));
  EXPECT_THAT(Lines(model),
              ElementsAre("error: function 'my.fn::F': calls itself through "
                          "'my.fn::G'",
                          HasSubstr("not checked")));
}

TEST(CheckFunctions, TooDeep) {
  std::string functions = Function("(p) => (q)", "q = Neg (p)", "F0");
  for (int i = 1; i <= 100; ++i) {
    functions +=
        Function("(p) => (q)", "q = my.fn.F" + std::to_string(i - 1) + " (p)",
                 "F" + std::to_string(i));
  }
  EXPECT_THAT(Lines(Calling(functions, "y = my.fn.F99 (x)")),
              ElementsAre("error: model: functions call each other 101 deep; "
                          "the ONNX checker and ONNX Runtime allow 100",
                          HasSubstr("not checked")));
}

// 2.8 kB that inference and ONNX Runtime never get through.
TEST(CheckFunctions, CallsThatMultiply) {
  std::string functions = Function("(p) => (q)", "q = Neg (p)", "F0");
  for (int i = 1; i <= 30; ++i) {
    const std::string callee = "my.fn.F" + std::to_string(i - 1);
    functions +=
        Function("(p) => (q)", "r = " + callee + " (p) q = " + callee + " (r)",
                 "F" + std::to_string(i));
  }
  EXPECT_THAT(Lines(Calling(functions, "y = my.fn.F30 (x)")),
              ElementsAre("warning: model: types and shapes are not checked: "
                          "the calls of functions come to more than 200000 "
                          "nodes, and ONNX Runtime inlines them all"));
}

TEST(CheckFunctions, Names) {
  Skeleton model = Calling(Function("(p) => (q)", "q = Neg (p)"),
                           "[call] y = my.fn.F (x, x)");
  auto& function = *model.proto.mutable_functions(0);
  function.add_input("p");
  function.add_output("q");
  function.add_attribute("a");
  function.add_attribute("a");
  EXPECT_THAT(Lines(model),
              ElementsAre("error: function 'my.fn::F': lists the input 'p' "
                          "twice",
                          "error: function 'my.fn::F': lists the output 'q' "
                          "twice",
                          "error: function 'my.fn::F': lists the attribute 'a' "
                          "twice",
                          HasSubstr("has 1 output; function")));
}

TEST(CheckFunctions, OutputsThatAreNotComputed) {
  EXPECT_THAT(Lines(Calling(Function("(p) => (q, r, p)", "q = Neg (p)"),
                            "[call] y, a, b = my.fn.F (x)")),
              ElementsAre("error: function 'my.fn::F': doesn't compute its "
                          "output 'r' (the ONNX checker passes it, ONNX "
                          "Runtime refuses it)",
                          "error: function 'my.fn::F': hands on its input 'p' "
                          "as an output (the ONNX checker passes it, ONNX "
                          "Runtime refuses it)"));
}

TEST(CheckFunctions, TwoOfOneName) {
  const std::string function = Function("(p) => (q)", "q = Neg (p)");
  EXPECT_THAT(Lines(Calling(function + function)),
              ElementsAre("error: function 'my.fn::F': is there twice",
                          HasSubstr("two functions have the same name")));
}

TEST(CheckFunctions, CallsThatDontFit) {
  EXPECT_THAT(
      Lines(Calling(Function("(p) => (q, r)", "q = Neg (p) r = Neg (q)"),
                    "[call] y = my.fn.F (x, x)")),
      ElementsAre("error: node 'call' (F): has 2 inputs; function "
                  "'my.fn::F' has 1 (the ONNX checker passes it, ONNX "
                  "Runtime refuses it)",
                  "error: node 'call' (F): has 1 output; function "
                  "'my.fn::F' has 2 (the ONNX checker passes it, ONNX "
                  "Runtime refuses it)"));
}

TEST(CheckFunctions, InputsMayBeLeftOutIfNobodyNeedsThem) {
  EXPECT_THAT(Lines(Calling(Function("(p, z) => (q)", "q = Neg (p)"))),
              IsEmpty());
  EXPECT_THAT(Lines(Calling(Function("(p, z) => (q)", "[n] q = Add (p, z)"))),
              ElementsAre("error: my.fn::F: node 'n' (Add): needs 'z', which "
                          "the call leaves out (when called by node 'call' "
                          "(F))"));
}

TEST(CheckFunctions, OperatorsOfAnotherOpset) {
  Skeleton model = Calling(Function("(p) => (q)", "[n] q = Relu (p)"));
  model.proto.mutable_functions(0)->mutable_opset_import(0)->set_version(14);
  EXPECT_THAT(Lines(model), IsEmpty());
  model.proto.mutable_functions(0)->mutable_opset_import(0)->set_version(13);
  EXPECT_THAT(Lines(model),
              ElementsAre("error: my.fn::F: node 'n' (Relu): is another "
                          "version of the operator in opset 13 of the default "
                          "domain, which the function imports, than in opset "
                          "17, which the model imports (ONNX Runtime takes "
                          "it)"));
}

TEST(CheckFunctions, MissingImport) {
  Skeleton model = Calling(Function("(p) => (q)", "[n] q = Relu (p)"));
  model.proto.mutable_functions(0)->clear_opset_import();
  EXPECT_THAT(Lines(model),
              Contains("error: function 'my.fn::F': has no opset import for "
                       "the default domain, in use by 1 node: 'n'"));
}

TEST(CheckFunctions, NothingAroundIsVisible) {
  EXPECT_THAT(Lines(Calling(Function("(p) => (q)", "[n] q = Neg (x)"))),
              Contains("error: my.fn::F: node 'n' (Neg): reads 'x', which "
                       "nothing defines"));
}

TEST(CheckFunctions, TypesAreInferredThroughCalls) {
  EXPECT_THAT(Lines(Calling(Function("(p) => (q)", "[n] q = Not (p)"))),
              ElementsAre("error: my.fn::F: node 'n' (Not): x typestr: T, has "
                          "unsupported type: tensor(float) (when called by "
                          "node 'call' (F))"));
  EXPECT_THAT(
      Lines(Calling(Function("(p) => (q)", "q = Shape (p)"))),
      ElementsAre("error: output 'y': declares float[4], but node 'call' (F) "
                  "computes int64[1] (ONNX Runtime refuses it as well)"));
}

TEST(CheckFunctions, AttributesOfTheCall) {
  Skeleton model = Calling(R"(<domain: "my.fn", opset_import: ["" : 17]>
                 F <axis> (p) => (q) {
                   [n] q = ReduceSum <keepdims: int = @axis> (p)
                 })",
                           "[call] y = my.fn.F <axis = 1> (x)");
  EXPECT_THAT(Lines(model), ElementsAre(HasSubstr("computes float[1]")));
  auto* attribute =
      model.proto.mutable_graph()->mutable_node(0)->mutable_attribute(0);
  attribute->clear_i();
  attribute->set_f(1);
  attribute->set_type(onnx::AttributeProto::FLOAT);
  EXPECT_THAT(Lines(model),
              ElementsAre("error: my.fn::F: node 'n' (ReduceSum): attribute "
                          "'keepdims' is not of the type that the call gives "
                          "(when called by node 'call' (F))"));
}

}  // namespace
}  // namespace onnx_expose
