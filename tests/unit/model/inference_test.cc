#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "onnx_expose/error.h"
#include "onnx_expose/value_types.h"
#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kHeader[] =
    "<ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]>";

// Infers and remembers what it was asked.
class Inferred {
 public:
  explicit Inferred(onnx::ModelProto model, const InferOptions& options = {})
      : model_(std::move(model)),
        index_(model_),
        types_(InferTypes(index_, options)) {}
  explicit Inferred(const std::string& text, const InferOptions& options = {})
      : Inferred(FromText(kHeader + text), options) {}

  std::string operator[](const std::string& name) const {
    return TypeText(types_.types[At(name)]);
  }
  TypeOrigin Origin(const std::string& name) const {
    return types_.origins[At(name)];
  }
  // Of the first scope that has it.
  size_t At(const std::string& name) const {
    for (size_t i = 0; i < index_.values().size(); ++i) {
      if (index_.values()[i].name == name) return i;
    }
    ADD_FAILURE() << "no value " << name;
    return 0;
  }
  const ValueTypes& types() const { return types_; }
  const GraphIndex& index() const { return index_; }

 private:
  const onnx::ModelProto model_;
  const GraphIndex index_;
  const ValueTypes types_;
};

void Declare(onnx::ModelProto& model, const std::string& name,
             const std::string& type) {
  auto& info = *model.mutable_graph()->add_value_info();
  info.set_name(name);
  *info.mutable_type() = ParseType(type);
}

InferOptions Given(const std::string& name, const std::string& type) {
  InferOptions options;
  options.given.emplace_back(name, ParseType(type));
  return options;
}

TEST(Inference, FindsTypesInEveryScope) {
  const Inferred inferred(R"(
    g (float[N,4] x, bool c) => (float[N,4] y) <int64[1] axes = {0}> {
      a = Relu (x)
      s = Shape (a)
      u = Unsqueeze (a, axes)
      y = If (c) <then_branch = t () => (float[N,4] t1) { t0 = Neg (a)
                                                          t1 = Abs (t0) },
                  else_branch = e () => (float[N,4] e1) { e1 = Neg (x) }>
    })");
  EXPECT_EQ(inferred["a"], "float[N,4]");
  EXPECT_EQ(inferred["s"], "int64[2]");
  EXPECT_EQ(inferred["u"], "float[1,N,4]");
  EXPECT_EQ(inferred["t0"], "float[N,4]");
  EXPECT_EQ(inferred["axes"], "int64[1]");
  EXPECT_EQ(inferred.Origin("a"), TypeOrigin::kInferred);
}

TEST(Inference, PropagatesData) {
  const Inferred inferred(R"(
    g (float[N,4] x, float[N,2,2] z) => (float[N,4] y) {
      s = Shape (x)
      y = Reshape (z, s)
    })");
  EXPECT_EQ(inferred["y"], "float[N,4]");
}

TEST(Inference, StaleDeclarationsDoNotCount) {
  onnx::ModelProto model = FromText(
      std::string(kHeader) +
      "g (float[1,4] x) => (float[1,4] y) { a = Relu (x) y = Neg (a) }");
  Declare(model, "a", "int64[7]");
  const Inferred inferred(model);
  EXPECT_EQ(inferred["a"], "float[1,4]");
  EXPECT_THAT(inferred.types().contradicted,
              ElementsAre(static_cast<int>(inferred.At("a"))));
}

TEST(Inference, DeclarationsSeedWhatNobodyKnows) {
  onnx::ModelProto model = FromText(
      std::string(kHeader) +
      "g (float[N,4] x) => (y) { a = my.Op (x) b = Relu (a) y = my.Op (b) }");
  EXPECT_EQ(Inferred(model)["b"], "?");
  Declare(model, "a", "float[Z,8]");
  const Inferred inferred(model);
  EXPECT_EQ(inferred["a"], "float[?,8]");  // Z stands there alone
  EXPECT_EQ(inferred["b"], "float[?,8]");
  EXPECT_EQ(inferred.Origin("a"), TypeOrigin::kDeclared);
  EXPECT_EQ(inferred.Origin("b"), TypeOrigin::kInferred);
  ASSERT_EQ(inferred.types().unknown_ops.size(), 2U);
  EXPECT_EQ(inferred.index().Describe(inferred.types().unknown_ops[0]),
            "Op (unnamed node 0)");
}

TEST(Inference, WhatTheUserSaysSeedsToo) {
  const std::string text =
      "g (float[N,4] x) => (y) { a = my.Op (x) y = Relu (a) }";
  const Inferred inferred(text, Given("a", "float[M,4]"));
  EXPECT_EQ(inferred["y"], "float[M,4]");
  EXPECT_EQ(inferred.Origin("a"), TypeOrigin::kFlag);
}

TEST(Inference, RefusesWhatTheUserSaysAgainstProof) {
  const std::string text =
      "g (float[N,4] x) => (y) { aa = Relu (x) y = Neg (aa) }";
  const auto complaint = [&](const InferOptions& options) {
    try {
      Inferred inferred(text, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kRefused);
      return error.message().what + " " + error.message().hint;
    }
    return std::string("none");
  };
  EXPECT_THAT(complaint(Given("aa", "int64[1,4]")),
              HasSubstr("inference proves float[N,4]"));
  EXPECT_THAT(complaint(Given("ab", "float")), HasSubstr("did you mean 'aa'"));
  EXPECT_EQ(complaint(Given("aa", "float[3,4]")), "none");
}

TEST(Inference, MakesUpNoSymbols) {
  const Inferred inferred(R"(
    g (float[N] x) => (float[M] y) {
      n = NonZero (x)
      y = my.Op (n)
    })");
  EXPECT_EQ(inferred["n"], "int64[1,?]");
}

TEST(Inference, OddInputDimsAreUnknown) {
  onnx::ModelProto model = FromText(std::string(kHeader) +
                                    "g (float[N,4] x) => (y) { y = Relu (x) }");
  auto& shape = *model.mutable_graph()
                     ->mutable_input(0)
                     ->mutable_type()
                     ->mutable_tensor_type()
                     ->mutable_shape();
  shape.mutable_dim(0)->set_dim_value(-1);
  shape.mutable_dim(1)->set_dim_param("?");
  EXPECT_EQ(Inferred(model)["y"], "float[?,?]");
}

TEST(Inference, SortsWhatIsUnsorted) {
  const Inferred inferred(R"(
    g (float[N] x) => (y) { y = Neg (b) b = Abs (a) a = Relu (x) })");
  EXPECT_EQ(inferred["y"], "float[N]");
}

TEST(Inference, DomainsNeedNoImport) {
  onnx::ModelProto model = FromText(
      std::string(kHeader) +
      "g (float[N] x) => (y) { a = Relu (x) b = other.Op (a) y = Neg (a) }");
  EXPECT_EQ(Inferred(model)["y"], "float[N]");
  model.clear_opset_import();
  const Inferred inferred(model);  // which opset is meant nobody knows
  EXPECT_EQ(inferred["y"], "?");
}

TEST(Inference, GoesThroughFunctionsUnlessTheyAreHostile) {
  const std::string main = "g (float[N] x) => (y) { y = my.F9 (x) }";
  const auto function = [](int i, const std::string& body) {
    return "<domain: \"my\", opset_import: [\"\" : 17, \"my\" : 1]>F" +
           std::to_string(i) + " (a) => (b) {" + body + "}";
  };
  EXPECT_EQ(Inferred(main + function(9, "c = Neg (a) b = Abs (c)"))["y"],
            "float[N]");
  std::string doubling = main + function(0, "b = Neg (a)");
  for (int i = 1; i < 10; ++i) {
    const std::string callee = "my.F" + std::to_string(i - 1);
    doubling += function(i, "c = " + callee + " (a) b = " + callee + " (c)");
  }
  EXPECT_EQ(Inferred(doubling)["y"], "float[N]");
  const std::string recursive = main + function(9, "b = my.F9 (a)");
  const Inferred inferred(recursive);
  ASSERT_EQ(inferred.types().warnings.size(), 1U);
  EXPECT_THAT(inferred.types().warnings[0].what,
              HasSubstr("'my::F9' calls itself"));
}

TEST(Inference, StandsNodesThatAreNoneOfTheirOperator) {
  const Inferred inferred(R"(
    g (float[N] x) => (y) {
      a = Concat ()
      b, c = Relu (x)
      d = Transpose <perm: ints = [7, 7]> (x)
      e = Constant ()
      y = Neg (x)
    })");
  EXPECT_EQ(inferred["y"], "float[N]");
}

TEST(Inference, CanBeSwitchedOff) {
  onnx::ModelProto model = FromText(
      std::string(kHeader) +
      "g (float[1,4] x) => (float[1,4] y) { a = Relu (x) y = Neg (a) }");
  InferOptions options;
  options.infer = false;
  EXPECT_EQ(Inferred(model, options)["a"], "?");
  Declare(model, "a", "float[1,4]");
  EXPECT_EQ(Inferred(model, options)["a"], "float[1,4]");
}

TEST(Inference, TakesElidedWeightsForUnknownNotForEmpty) {
  onnx::ModelProto model = FromText(
      std::string(kHeader) + "g (float[4] x) => (y) { y = Reshape (x, s) }");
  auto& shape = *model.mutable_graph()->add_initializer();
  shape.set_name("s");
  shape.set_data_type(onnx::TensorProto::INT64);
  shape.add_dims(3);
  std::string sizes(24, '\0');
  sizes[0] = sizes[8] = 2;
  sizes[16] = 1;
  shape.set_raw_data(sizes);
  EXPECT_EQ(Inferred(Load(Bytes(model)).proto)["y"], "float[2,2,1]");
  shape.set_raw_data(std::string(80000, '\0'));  // dims lie, and it is elided
  const Skeleton skeleton = Load(Bytes(model));
  EXPECT_EQ(skeleton.payloads.size(), 1U);
  EXPECT_EQ(Inferred(skeleton.proto)["y"], "?");
}

}  // namespace
}  // namespace onnx_expose::testing
