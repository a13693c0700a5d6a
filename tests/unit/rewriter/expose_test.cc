#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "onnx_expose/error.h"
#include "onnx_expose/rewriter.h"
#include "onnx_expose/selector.h"
#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kText[] = R"(
  <ir_version: 8, opset_import: ["" : 17, "my" : 1]>
  g (float[N,4] x) => (float[N,4] y) {
    [first] a = Relu (x)
    b, mask = Dropout (a)
    [odd] m = my.Op (b)
    y = Neg (b)
  })";

class RewriterTest : public ::testing::Test {
 protected:
  static Skeleton Model() { return Load(Bytes(FromText(kText))); }

  static ExposeReport ExposeAll(Skeleton& model,
                                const ExposeOptions& options = {}) {
    const GraphIndex index(model.proto);
    const ValueTypes types = InferTypes(index, {});
    SelectorOptions select;
    select.all = true;
    const Selection selection = SelectValues(index, types, select);
    return ExposeOutputs(model, index, types, selection, options);
  }

  static std::vector<std::string> Outputs(const Skeleton& model) {
    std::vector<std::string> texts;
    for (const auto& output : model.proto.graph().output()) {
      texts.push_back(output.name() + " " + TypeText(output.type()));
    }
    return texts;
  }

  static void Declare(Skeleton& model, const std::string& name,
                      const std::string& type) {
    auto& info = *model.proto.mutable_graph()->add_value_info();
    info.set_name(name);
    *info.mutable_type() = ParseType(type);
  }

  static std::vector<std::string> ValueInfo(const Skeleton& model) {
    std::vector<std::string> names;
    for (const auto& info : model.proto.graph().value_info()) {
      names.push_back(info.name());
    }
    return names;
  }

  static std::string Refusal(const std::function<void()>& act) {
    try {
      act();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kRefused);
      return error.message().what + " | " + error.message().note;
    }
    return "none";
  }
};

TEST_F(RewriterTest, AppendsInNodeOrderWithTypes) {
  Skeleton model = Model();
  const ExposeReport report = ExposeAll(model);
  EXPECT_THAT(Outputs(model),
              ElementsAre("y float[N,4]", "a float[N,4]", "b float[N,4]",
                          "mask bool[N,4]", "m ?"));
  EXPECT_THAT(report.already_outputs, ElementsAre("y"));
  ASSERT_EQ(report.added.size(), 4U);
  EXPECT_EQ(report.added[0].node, "first");
  EXPECT_EQ(report.added[2].output, 1);
  EXPECT_EQ(report.added[3].domain, "my");
  const auto& outputs = model.proto.graph().output();
  EXPECT_FALSE(outputs[0].has_doc_string());
  EXPECT_EQ(outputs[1].doc_string(), "onnx-expose: Relu 'first' output 0");
  EXPECT_FALSE(outputs[4].has_type());
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_THAT(report.warnings[0].what, HasSubstr("unknown: 'm'"));
  EXPECT_THAT(report.warnings[0].note, HasSubstr("'my::Op'"));
}

TEST_F(RewriterTest, UntypedValuesCanBeLeftOutOrRefused) {
  ExposeOptions options;
  options.untyped = Untyped::kSkip;
  Skeleton model = Model();
  const ExposeReport report = ExposeAll(model, options);
  ASSERT_EQ(report.skipped.size(), 1U);
  EXPECT_EQ(report.skipped[0].reason, "its type is unknown");
  options.untyped = Untyped::kError;
  EXPECT_THAT(Refusal([&] {
                Skeleton again = Model();
                ExposeAll(again, options);
              }),
              HasSubstr("type or rank unknown: 'm'"));
}

TEST_F(RewriterTest, StripPutsValueInfoBackInItsPlaces) {
  Skeleton model = Model();
  for (const char* name : {"gone", "b", "a", "m", "gone2"}) {
    Declare(model, name, "float[N,4]");
  }
  const std::string before = Bytes(model.proto);
  // One value after the other, and once more with all that is left.
  for (const char* value : {"m", "b", ""}) {
    const GraphIndex index(model.proto);
    const ValueTypes types = InferTypes(index, {});
    SelectorOptions select;
    select.all = *value == '\0';
    if (!select.all) select.exact_values = {value};
    ExposeOutputs(model, index, types, SelectValues(index, types, select), {});
  }
  EXPECT_THAT(ValueInfo(model), ElementsAre("gone", "gone2"));
  const StripReport report = StripOutputs(model, false);
  EXPECT_THAT(report.removed, ElementsAre("m", "b", "a", "mask"));
  EXPECT_THAT(report.warnings, IsEmpty());
  EXPECT_TRUE(Bytes(model.proto) == before);
}

TEST_F(RewriterTest, SuffixCopiesThroughIdentity) {
  ExposeOptions options;
  options.suffix = "_debug";
  Skeleton model = Model();
  const std::string before = Bytes(model.proto);
  ExposeAll(model, options);
  EXPECT_THAT(Outputs(model), ElementsAre("y float[N,4]", "a_debug float[N,4]",
                                          "b_debug float[N,4]",
                                          "mask_debug bool[N,4]", "m_debug ?"));
  const auto& node = model.proto.graph().node(4);
  EXPECT_EQ(node.op_type(), "Identity");
  EXPECT_THAT(node.input(), ElementsAre("a"));
  EXPECT_THAT(node.output(), ElementsAre("a_debug"));
  const std::string once = Bytes(model.proto);
  ExposeAll(model, options);
  EXPECT_TRUE(Bytes(model.proto) == once);
  StripOutputs(model, false);
  EXPECT_TRUE(Bytes(model.proto) == before);
  options.suffix = "ask";  // m + ask is there
  EXPECT_THAT(Refusal([&] { ExposeAll(model, options); }),
              HasSubstr("'mask', a name the model has already"));
}

TEST_F(RewriterTest, AnnotationsComeAndGo) {
  ExposeOptions options;
  options.annotate = true;
  Skeleton model = Model();
  model.proto.mutable_graph()->mutable_node(0)->set_doc_string("its own");
  const std::string before = Bytes(model.proto);
  const GraphIndex index(model.proto);
  const ValueTypes types = InferTypes(index, {});
  SelectorOptions select;
  select.ops = {"Relu"};
  ExposeOutputs(model, index, types, SelectValues(index, types, select),
                options);
  EXPECT_EQ(model.proto.graph().node(0).doc_string(),
            "its own\nonnx-expose: Relu -> 'a' float[N,4]");
  EXPECT_THAT(ValueInfo(model), ElementsAre("b", "mask"));
  StripOutputs(model, false);
  EXPECT_TRUE(Bytes(model.proto) == before);
}

TEST_F(RewriterTest, DimsBecomeConcreteAndSymbolicAgain) {
  Skeleton model = Model();
  Declare(model, "a", "float[N,4]");
  const std::string before = Bytes(model.proto);
  DimOptions dims;
  dims.dims = {{"N", 3}};
  FixDims(model, dims, /*provenance=*/true);
  ExposeAll(model);
  EXPECT_EQ(TypeText(model.proto.graph().input(0).type()), "float[3,4]");
  EXPECT_THAT(Outputs(model)[0], "y float[3,4]");
  EXPECT_THAT(Outputs(model)[1], "a float[3,4]");
  StripOutputs(model, false);
  EXPECT_TRUE(Bytes(model.proto) == before);
  DimOptions shapes;
  shapes.shapes = {{"x", {5, 4}}};
  FixDims(model, shapes, /*provenance=*/true);
  EXPECT_EQ(TypeText(model.proto.graph().output(0).type()), "float[5,4]");
}

TEST_F(RewriterTest, DimsThatDoNotFitAreRefused) {
  Skeleton model = Model();
  const auto refusal = [&](const DimOptions& dims) {
    return Refusal([&] { FixDims(model, dims, true); });
  };
  EXPECT_THAT(refusal({{{"M", 3}}, {}}), HasSubstr("no graph input has a dim"));
  EXPECT_THAT(refusal({{}, {{"z", {1}}}}), HasSubstr("no graph input 'z'"));
  EXPECT_THAT(refusal({{}, {{"x", {1}}}}), HasSubstr("gives 1 dim"));
  EXPECT_THAT(refusal({{}, {{"x", {1, 5}}}}), HasSubstr("is fixed: 4, not 5"));
  EXPECT_THAT(refusal({{{"N", 3}}, {{"x", {2, 4}}}}), HasSubstr("3 and 2"));
  EXPECT_THROW(FixDims(model, {{{"N", -1}}, {}}, true), Error);
}

TEST_F(RewriterTest, StripWithoutARecordDoesWhatMarksAllow) {
  ExposeOptions options;
  options.provenance = false;
  Skeleton model = Model();
  Declare(model, "a", "float[N,4]");
  ExposeAll(model, options);
  EXPECT_EQ(model.proto.metadata_props_size(), 0);
  const StripReport report = StripOutputs(model, false);
  EXPECT_THAT(Outputs(model), ElementsAre("y float[N,4]"));
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_THAT(report.warnings[0].what, HasSubstr("no record"));
}

TEST_F(RewriterTest, StripSaysWhenAnotherToolChangedTheModel) {
  Skeleton model = Model();
  Declare(model, "a", "float[N,4]");
  ExposeAll(model);
  model.proto.mutable_graph()->add_output()->set_name("foreign");
  const StripReport report = StripOutputs(model, false);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_THAT(report.warnings[0].what, HasSubstr("changed by another tool"));
}

TEST_F(RewriterTest, StripRefusesWhatWasNeverExposed) {
  Skeleton model = Model();
  EXPECT_THAT(Refusal([&] { StripOutputs(model, false); }),
              HasSubstr("nothing was exposed"));
  EXPECT_THAT(StripOutputs(model, true).removed, IsEmpty());
  auto& entry = *model.proto.add_metadata_props();
  entry.set_key("onnx_expose");
  for (const char* value :
       {"", "[]", "{\"schema\": 99}", "{\"schema\": 1}",
        "{\"schema\":1,\"outputs\":-1,\"nodes\":0,\"value_info\":0}",
        "{\"schema\":1,\"outputs\":1,\"nodes\":4,\"value_info\":0,"
        "\"inputs_changed\":[[0,\"?\"]]}"}) {
    entry.set_value(value);
    EXPECT_THAT(Refusal([&] { StripOutputs(model, false); }),
                HasSubstr("not one this version wrote"))
        << value;
  }
}

TEST_F(RewriterTest, RefusesOutputsThatNobodyDefines) {
  Skeleton model = Model();
  model.proto.mutable_graph()->add_output()->set_name("nobody");
  try {
    ExposeAll(model);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kInput);
    EXPECT_THAT(error.message().what, HasSubstr("'nobody' is defined by no"));
  }
}

}  // namespace
}  // namespace onnx_expose::testing
