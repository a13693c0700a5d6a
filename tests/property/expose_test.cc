// Rules 1 to 7 of docs/design.md 1.3 on random models.
//   ONNX_EXPOSE_PROPERTY_COUNT  models a test (default 120)
//   ONNX_EXPOSE_PROPERTY_SEED   of the first one (default 1)
#include <gtest/gtest.h>
#include <onnx/checker.h>

#include <cstdlib>
#include <functional>
#include <set>
#include <string>

#include "onnx_expose/error.h"
#include "tests/property/random_model.h"
#include "tests/property/rules.h"
#include "tests/property/wire_forms.h"
#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

uint64_t Number(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Stops at the first model that fails: what follows would be more of the same.
void ForModels(const std::function<void(const RandomModel&, Dice&)>& check) {
  const uint64_t first = Number("ONNX_EXPOSE_PROPERTY_SEED", 1);
  const uint64_t count = Number("ONNX_EXPOSE_PROPERTY_COUNT", 120);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(
        "again: ONNX_EXPOSE_PROPERTY_COUNT=1 "
        "ONNX_EXPOSE_PROPERTY_SEED=" +
        std::to_string(seed));
    Dice dice(seed);
    const RandomModel model = MakeRandomModel(seed);
    try {
      check(model, dice);
    } catch (const Error& error) {
      ADD_FAILURE() << error.message().what << "\n" << error.message().note;
    }
    if (::testing::Test::HasFailure()) {
      const std::string path =
          ::testing::TempDir() + "property_" + std::to_string(seed) + ".onnx";
      WriteFile(path, Bytes(model.proto));
      ADD_FAILURE() << "the model is in " << path;
      return;
    }
  }
}

TEST(Generator, MakesValidModels) {
  ForModels([](const RandomModel& model, Dice&) {
    if (model.sorted) {
      EXPECT_NO_THROW(onnx::checker::check_model(model.proto));
    }
  });
}

TEST(Expose, KeepsTheRules) {
  ForModels([](const RandomModel& model, Dice& dice) {
    const ExposeRequest request = RandomRequest(dice, model);
    SCOPED_TRACE(CommandLine(request));
    ExposeReport report;
    const std::string debug = Expose(Bytes(model.proto), request, &report);
    ExpectRulesHold(model, Parsed(debug), request);
    EXPECT_EQ(Parsed(debug).graph().output_size(),
              model.proto.graph().output_size() +
                  static_cast<int>(report.added.size()));
  });
}

TEST(Expose, AllMeansAll) {
  ForModels([](const RandomModel& model, Dice&) {
    ExposeRequest request;
    request.select.all = request.select.include_constants = true;
    ExposeReport report;
    const onnx::ModelProto debug =
        Parsed(Expose(Bytes(model.proto), request, &report));
    std::set<std::string> there;
    for (const auto& output : debug.graph().output()) {
      there.insert(output.name());
    }
    for (const auto& skipped : report.skipped) there.insert(skipped.name);
    for (const auto& node : model.proto.graph().node()) {
      for (const std::string& name : node.output()) {
        EXPECT_TRUE(name.empty() || there.count(name) == 1) << name;
      }
    }
  });
}

TEST(Expose, TwiceIsOnceAndAlwaysTheSame) {
  ForModels([](const RandomModel& model, Dice& dice) {
    ExposeRequest request = RandomRequestOfAnyKind(dice, model);
    SCOPED_TRACE(CommandLine(request));
    const std::string original = Bytes(model.proto);
    const std::string once = Expose(original, request);
    EXPECT_TRUE(Expose(original, request) == once) << "differs between runs";
    request.dims = {};  // fixed the first time; no symbol is left
    EXPECT_TRUE(Expose(once, request) == once) << "the second time adds more";
  });
}

TEST(Strip, GivesTheOriginalBytes) {
  ForModels([](const RandomModel& model, Dice& dice) {
    const std::string original = Bytes(model.proto);
    std::string debug = original;
    std::string commands;
    for (int times = dice.Below(3) + 1; times > 0; --times) {
      ExposeRequest request = RandomRequestOfAnyKind(dice, model);
      if (debug != original) request.dims = {};
      debug = Expose(debug, request);
      commands += CommandLine(request) + "\n";
    }
    if (debug == original) return;  // the selections were empty
    EXPECT_TRUE(Strip(debug) == original) << commands;
  });
}

TEST(Strip, GivesTheOriginalMessageOfAnyWireForm) {
  ForModels([](const RandomModel& model, Dice& dice) {
    const std::string canonical = Bytes(model.proto);
    const std::string original =
        OtherWireForm(dice, canonical, *onnx::ModelProto::descriptor());
    ASSERT_TRUE(Bytes(Parsed(original)) == canonical) << "a test's mistake";
    const ExposeRequest request = RandomRequestOfAnyKind(dice, model);
    SCOPED_TRACE(CommandLine(request));
    const std::string debug = Expose(original, request);
    EXPECT_TRUE(Bytes(Parsed(debug)) == Expose(canonical, request));
    if (Parsed(debug).metadata_props_size() ==
        model.proto.metadata_props_size()) {
      return;
    }
    EXPECT_TRUE(Bytes(Parsed(Strip(debug))) == canonical);
  });
}

}  // namespace
}  // namespace onnx_expose::testing
