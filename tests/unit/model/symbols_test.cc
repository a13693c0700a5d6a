#include "model/symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "onnx_expose/value_types.h"

namespace onnx_expose::testing {
namespace {

using ::testing::ElementsAre;

TEST(Symbols, AreCollectedAllTheWayDown) {
  Symbols symbols;
  CollectSymbols(ParseType("seq(optional(float[N,2,seq]))"), symbols);
  CollectSymbols(ParseType("map(string,sparse(float[M]))"), symbols);
  EXPECT_THAT(symbols, ElementsAre("M", "N", "seq"));
}

TEST(Symbols, ThatMeanUnknownAreNone) {
  onnx::TypeProto type;
  auto& shape = *type.mutable_tensor_type()->mutable_shape();
  for (const char* name : {"", "?", "*", "-1"}) {
    shape.add_dim()->set_dim_param(name);
  }
  Symbols symbols;
  CollectSymbols(type, symbols);
  EXPECT_THAT(symbols, ElementsAre());
}

TEST(Symbols, ForeignOnesAreForgotten) {
  onnx::TypeProto type = ParseType("seq(float[N,unk__0,3])");
  type.mutable_sequence_type()
      ->mutable_elem_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->add_dim()
      ->set_dim_value(-1);
  ForgetSymbols(type, {"N"});
  EXPECT_EQ(TypeText(type), "seq(float[N,?,3,?])");
}

TEST(Symbols, Contradictions) {
  const auto differ = [](const char* a, const char* b) {
    EXPECT_EQ(Contradicts(ParseType(a), ParseType(b)),
              Contradicts(ParseType(b), ParseType(a)));
    return Contradicts(ParseType(a), ParseType(b));
  };
  EXPECT_TRUE(differ("float", "int64"));
  EXPECT_TRUE(differ("float[1]", "float[]"));
  EXPECT_TRUE(differ("float[1,4]", "float[1,5]"));
  EXPECT_TRUE(differ("float", "seq(float)"));
  EXPECT_TRUE(differ("seq(float)", "seq(int64)"));
  EXPECT_TRUE(differ("optional(float[1])", "optional(float[2])"));
  EXPECT_TRUE(differ("map(string,float)", "map(int64,float)"));
  EXPECT_TRUE(differ("sparse(float[1])", "sparse(float[2])"));
  EXPECT_FALSE(differ("float", "float[1]"));
  EXPECT_FALSE(differ("float[1,N]", "float[?,4]"));
  EXPECT_FALSE(Contradicts(ParseType("float"), {}));
}

TEST(Symbols, RefineFillsInWhatIsOpen) {
  const auto refined = [](const char* text, const char* more) {
    onnx::TypeProto type = ParseType(text);
    Refine(type, ParseType(more));
    return TypeText(type);
  };
  EXPECT_EQ(refined("float", "float[1,N]"), "float[1,N]");
  EXPECT_EQ(refined("float[?,N,?]", "float[1,2,M]"), "float[1,2,M]");
  EXPECT_EQ(refined("float[1,N]", "float[?,?]"), "float[1,N]");
  EXPECT_EQ(refined("seq(float)", "seq(float[2])"), "seq(float[2])");
  onnx::TypeProto nothing;
  Refine(nothing, ParseType("optional(float)"));
  EXPECT_EQ(TypeText(nothing), "optional(float)");
}

}  // namespace
}  // namespace onnx_expose::testing
