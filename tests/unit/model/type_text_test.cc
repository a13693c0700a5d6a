#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "onnx_expose/element_types.h"
#include "onnx_expose/value_types.h"

namespace onnx_expose::testing {
namespace {

using ::testing::HasSubstr;

TEST(TypeText, IsWhatParseTypeReads) {
  for (const char* text :
       {"float", "float[]", "float16[1,N,?]", "int64[0]", "seq(float[2])",
        "optional(seq(int64))", "map(string,float)", "sparse(double[3,4])",
        "seq(map(int64,float[]))", "uint2[seq len,x+1]", "bfloat16",
        "string"}) {
    EXPECT_EQ(TypeText(ParseType(text)), text);
  }
}

TEST(TypeText, ShowsWhatNobodyWritesByHand) {
  onnx::TypeProto type;
  EXPECT_EQ(TypeText(type), "?");
  type.mutable_tensor_type()->set_elem_type(99);
  auto& dims = *type.mutable_tensor_type()->mutable_shape();
  dims.add_dim()->set_dim_value(-1);
  dims.add_dim()->set_dim_param("");
  EXPECT_EQ(TypeText(type), "elem99[-1,?]");
  type.mutable_opaque_type()->set_domain("d");
  EXPECT_EQ(TypeText(type), "opaque(d,)");
}

TEST(TypeText, ParseTypeShowsThePlace) {
  const std::pair<const char*, const char*> cases[] = {
      {"flot", "no element type 'flot'"},
      {"float[1", "']' expected in type 'float[1' at character 8"},
      {"float[1,]", "a dim expected"},
      {"float[-1]", "a negative dim"},
      {"float[3x]", "a size, a symbol or ?"},
      {"float[1]]", "unexpected text in type 'float[1]]' at character 9"},
      {"seq(float", "')' expected"},
      {"list(float)", "seq, optional, map or sparse expected"},
      {"map(string)", "',' expected"},
      {"", "no element type ''"},
  };
  for (const auto& [text, what] : cases) {
    try {
      ParseType(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kUsage);
      EXPECT_THAT(error.message().what, HasSubstr(what));
    }
  }
  std::string deep = "float";
  for (int i = 0; i < 100; ++i) deep = "seq(" + deep + ")";
  EXPECT_THROW(ParseType(deep), Error);
}

TEST(TypeText, KnowsWhatIsMissing) {
  EXPECT_TRUE(HasElementType(ParseType("float")));
  EXPECT_FALSE(HasRank(ParseType("float")));
  EXPECT_TRUE(HasRank(ParseType("float[]")));
  EXPECT_FALSE(HasRank(ParseType("seq(float)")));
  EXPECT_TRUE(HasRank(ParseType("map(string,float[1])")));
  onnx::TypeProto type;
  EXPECT_FALSE(HasElementType(type));
  type.mutable_tensor_type()->mutable_shape();
  EXPECT_FALSE(HasElementType(type));
  type.mutable_sequence_type()->mutable_elem_type();
  EXPECT_FALSE(HasElementType(type));
  *type.mutable_map_type()->mutable_value_type() = ParseType("float");
  EXPECT_FALSE(HasElementType(type));  // no key type
}

TEST(ElementTypes, HaveNamesAndSizes) {
  EXPECT_EQ(ElementType("float8e4m3fn"), onnx::TensorProto::FLOAT8E4M3FN);
  EXPECT_EQ(ElementName(onnx::TensorProto::BFLOAT16), "bfloat16");
  for (int type = 1; IsElementType(type); ++type) {
    EXPECT_EQ(ElementType(ElementName(type)), type);
  }
  EXPECT_EQ(ElementBits(onnx::TensorProto::INT4), 4);
  EXPECT_EQ(ElementBits(onnx::TensorProto::COMPLEX128), 128);
  EXPECT_EQ(ElementBits(onnx::TensorProto::STRING), 0);
  EXPECT_EQ(ElementBits(1000), 0);
  EXPECT_FALSE(IsElementType(0));
  EXPECT_FALSE(IsElementType(-5));
}

}  // namespace
}  // namespace onnx_expose::testing
