#include <onnx/common/constants.h>

#include "tests/unit/check/check_testing.h"

namespace onnx_expose {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace testing;  // NOLINT(google-build-using-namespace)

TEST(CheckModelFields, AValidModelHasNoFindings) {
  EXPECT_THAT(Lines(Base()), IsEmpty());
}

TEST(CheckModelFields, IrVersion) {
  Skeleton model = Base();
  model.proto.clear_ir_version();
  EXPECT_THAT(
      Lines(model),
      ElementsAre("error: model: has no IR version (ONNX Runtime takes it)"));
  model.proto.set_ir_version(onnx::IR_VERSION + 1);
  EXPECT_THAT(
      Lines(model),
      ElementsAre("refused: model: IR version 15 is newer than 14, the newest "
                  "known here (the ONNX checker and ONNX Runtime refuse "
                  "versions newer than theirs)"));
  EXPECT_TRUE(Refused(model));
}

TEST(CheckModelFields, MetadataKeyTwice) {
  Skeleton model = Base();
  for (int i = 0; i < 2; ++i) model.proto.add_metadata_props()->set_key("k");
  EXPECT_THAT(Lines(model),
              ElementsAre("error: model: the metadata key 'k' is there twice "
                          "(ONNX Runtime takes it)"));
}

TEST(CheckModelFields, NoOpsetImport) {
  Skeleton model = Base();
  model.proto.clear_opset_import();
  EXPECT_THAT(Lines(model), ElementsAre("error: model: has no opset import"));
}

TEST(CheckModelFields, OldIrVersionsHaveNoOpsetImport) {
  Skeleton model = Parse("g (float[4] x) => (float[4] y) { y = Abs (x) }",
                         R"(<ir_version: 2, opset_import: ["" : 6]>)");
  EXPECT_THAT(Lines(model),
              ElementsAre("error: model: IR version 2 allows no opset import "
                          "(ONNX Runtime takes it)"));
}

TEST(CheckModelFields, OpsetThatCantBe) {
  Skeleton model = Base();
  model.proto.mutable_opset_import(0)->set_version(0);
  EXPECT_THAT(Lines(model),
              ElementsAre("error: model: imports opset 0 of the default "
                          "domain, which can't be"));
  model.proto.mutable_opset_import(0)->set_version(int64_t{1} << 40);
  EXPECT_THAT(Lines(model),
              ElementsAre("error: model: imports opset 1099511627776 of the "
                          "default domain, which can't be"));
}

TEST(CheckModelFields, NewerOpsetIsAWarning) {
  Skeleton model = Base();
  model.proto.mutable_opset_import(0)->set_version(99);
  EXPECT_THAT(Lines(model),
              ElementsAre("warning: model: imports opset 99 of the default "
                          "domain; the newest known here is 28 (ONNX Runtime "
                          "refuses opsets newer than its own)"));
  EXPECT_FALSE(Refused(model));
}

TEST(CheckModelFields, DomainImportedTwice) {
  Skeleton model = Base();
  auto* again = model.proto.add_opset_import();
  again->set_domain("ai.onnx");
  again->set_version(17);
  EXPECT_THAT(Lines(model), IsEmpty());
  again->set_version(11);
  EXPECT_THAT(Lines(model),
              ElementsAre("warning: model: imports domain 'ai.onnx' twice, as "
                          "opset 17 and 11"));
}

TEST(CheckModelFields, MissingImportNamesTheNodes) {
  const Skeleton model = Parse(R"(
    g (float[4] x) => (float[4] y) {
      [foo] a = my.dom.Foo (x)
      [bar] y = my.dom.Bar (a)
    })");
  EXPECT_THAT(Lines(model),
              ElementsAre("error: model: has no opset import for domain "
                          "'my.dom', in use by 2 nodes: 'foo', 'bar'"));
}

// Of training info neither the checker nor ONNX Runtime reads anything.
TEST(CheckModelFields, TrainingBindings) {
  Skeleton model = Base();
  auto* training = model.proto.add_training_info();
  auto* binding = training->add_update_binding();
  binding->set_key("nowhere");
  binding->set_value("nothing");
  EXPECT_THAT(Lines(model),
              ElementsAre("warning: training_info 0: algorithm: binds "
                          "'nowhere', which is no initializer",
                          "warning: training_info 0: algorithm: binds to "
                          "'nothing', which is no output"));
  binding->set_key("w");
  binding->set_value("new_w");
  training->mutable_algorithm()->add_output()->set_name("new_w");
  EXPECT_THAT(Lines(model), IsEmpty());
}

}  // namespace
}  // namespace onnx_expose
