#include "tensor/manifest.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace onnx_expose {
namespace {

Manifest Sample() {
  Manifest manifest;
  DumpedValue value;
  value.name = "x";
  value.type = "float[2]";
  value.shape = {2};
  value.file = "0000_x_01234567.npy";
  value.stats.count = 2;
  value.stats.finite = 2;
  value.stats.max = 1e300;
  value.stats.histogram[0] = 1;
  value.stats.histogram[63] = 1;
  manifest.values = {value, value};
  return manifest;
}

std::string WhyNot(const std::string& text) {
  try {
    ParseManifest(text, "manifest.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kInput);
    EXPECT_EQ(error.file(), "manifest.json");
    EXPECT_STREQ(error.what(), "the manifest is damaged");
    return error.message().note;
  }
  return "";
}

TEST(Manifest, SaysTheSameWhenReadAndWrittenAgain) {
  const std::string text = ManifestText(Sample());
  EXPECT_EQ(ManifestText(ParseManifest(text, "")), text);
  const std::string empty = ManifestText({});
  EXPECT_EQ(ManifestText(ParseManifest(empty, "")), empty);
}

TEST(Manifest, NumbersThatDontExistAreNull) {
  Manifest manifest = Sample();
  manifest.values[0].stats = {};
  manifest.values[0].stats.count = 1;
  manifest.values[0].stats.nan = 1;
  const auto json = nlohmann::json::parse(ManifestText(manifest));
  const auto& stats = json["values"][0]["stats"];
  EXPECT_TRUE(stats["min"].is_null());
  EXPECT_TRUE(stats["histogram"].is_null());
  EXPECT_TRUE(stats["first_bad"].is_null());
  EXPECT_EQ(stats["nan"], 1);
  EXPECT_TRUE(json["original_outputs_unchanged"].is_null());
}

TEST(Manifest, NamesThatArentUtf8StayWhole) {
  Manifest manifest = Sample();
  manifest.values[0].name =
      "a\xff"
      "b";
  const std::string text = ManifestText(manifest);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["values"][0]["name"],
            "a\xef\xbf\xbd"
            "b");
  EXPECT_EQ(ParseManifest(text, "").values[0].name,
            "a\xff"
            "b");
}

// Every key that is taken away, and everything put in its place.
TEST(Manifest, SaysWhatIsWrong) {
  EXPECT_EQ(WhyNot(""), "it isn't JSON");
  EXPECT_EQ(WhyNot("[]"), "an object was expected");
  EXPECT_EQ(WhyNot(R"({"schema": 2})"), "schema 2 is not known");
  EXPECT_EQ(WhyNot(R"({"schema": -1})"), "'schema' is out of range");
  EXPECT_EQ(WhyNot(R"({"schema": 1.5})"), "'schema' is no whole number");
  const std::string text = ManifestText(Sample());
  const auto whole = nlohmann::json::parse(text);
  const auto flat = whole.flatten();
  for (const auto& [path, value] : flat.items()) {
    for (const auto& other :
         {nlohmann::json(), nlohmann::json(-1), nlohmann::json(1e99),
          nlohmann::json("x"), nlohmann::json::object({{"a", 1}}),
          nlohmann::json::array({nullptr})}) {
      auto changed = whole;
      changed[nlohmann::json::json_pointer(path)] = other;
      try {
        ParseManifest(changed.dump(), "");
      } catch (const Error&) {
      }
    }
  }
  for (const char* key : {"schema", "complete", "model", "runtime", "inputs",
                          "changed_outputs", "notes", "values"}) {
    auto changed = whole;
    changed.erase(key);
    EXPECT_EQ(WhyNot(changed.dump()), "'" + std::string(key) + "' is missing");
  }
  auto changed = whole;
  changed["complete"] = false;
  EXPECT_EQ(WhyNot(changed.dump()), "it says that the dump isn't complete");
}

TEST(Manifest, LeadsNowhereElse) {
  for (const char* file : {"../x.npy", "/etc/passwd", "a/b.npy", ".."}) {
    auto json = nlohmann::json::parse(ManifestText(Sample()));
    json["values"][0]["file"] = file;
    EXPECT_NE(WhyNot(json.dump()), "") << file;
  }
}

}  // namespace
}  // namespace onnx_expose
