#include "report/served_dump.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "onnx_expose/dump.h"
#include "tests/support/model_files.h"
#include "tests/support/tensors.h"

namespace onnx_expose {
namespace {

using testing::DataOf;
using testing::FloatsOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::TemporaryFolder;

// Two values; `finish`: or is the run still going on?
void WriteDump(const std::string& folder, bool finish, float second = 4,
               DumpFormat format = DumpFormat::kNpy) {
  DumpOptions options;
  options.format = format;
  options.force = true;
  auto dump = std::make_unique<DumpWriter>(folder, options);
  for (int i = 0; i < 2; ++i) {
    DumpedValue value;
    value.index = i;
    value.name = i == 0 ? "first" : "second";
    value.op_type = "Relu";
    dump->Add(value, DataOf(FloatsOf({1, i == 0 ? 2 : second})));
  }
  if (finish) dump->Finish({});
}

TEST(ServedDump, ItsAddresses) {
  const TemporaryFolder folder;
  WriteDump(folder.path() + "/d", true);
  ServedDump dump({folder.path() + "/d"});
  EXPECT_THAT(dump.Get("/", "", false).body, StartsWith("<!DOCTYPE html>"));
  const auto manifest =
      nlohmann::json::parse(dump.Get("/api/manifest", "", false).body);
  EXPECT_EQ(manifest["complete"], true);
  EXPECT_EQ(manifest["values"][1]["name"], "second");
  const auto layer =
      nlohmann::json::parse(dump.Get("/layer/1", "", false).body);
  EXPECT_EQ(layer["a"]["stats"]["max"], 4);
  EXPECT_EQ(layer["elements"]["first_a"][1], "4");
  EXPECT_THAT(dump.Get("/api/values/1", "", false).body,
              StartsWith("\x93NUMPY"));
  EXPECT_LT(dump.Get("/api/values/1", "0", false).body.size(),
            dump.Get("/api/values/1", "", false).body.size());
  EXPECT_EQ(dump.Get("/api/values/1", "9", false).status, 400);
  EXPECT_EQ(dump.Get("/api/values/1", "", true).status, 404);
}

TEST(ServedDump, NothingElse) {
  const TemporaryFolder folder;
  WriteDump(folder.path() + "/d", true);
  ServedDump dump({folder.path() + "/d"});
  for (const char* path :
       {"", "/layer/2", "/layer/-1", "/layer/", "/layer/1x", "/layer/../1",
        "/layer/%31", "/manifest.json", "/../d/manifest.json", "//",
        "/api/values/0/../1", "/layer/99999999999999999999"}) {
    EXPECT_EQ(dump.Get(path, "", false).status, 404) << path;
  }
}

TEST(ServedDump, ARunThatGoesOn) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/d";
  WriteDump(path, false);
  ServedDump dump({path});
  auto manifest =
      nlohmann::json::parse(dump.Get("/api/manifest", "", false).body);
  EXPECT_EQ(manifest["complete"], false);
  ASSERT_EQ(manifest["values"].size(), 2u);
  EXPECT_EQ(manifest["values"][0]["a"]["stats"]["max"], 2);
  EXPECT_EQ(dump.Get("/layer/1", "", false).status, 200);
  // A file that isn't complete yet.
  std::ofstream(path + "/0002_third_00000000.npy") << "\x93NUMPY";
  manifest = nlohmann::json::parse(dump.Get("/api/manifest", "", false).body);
  EXPECT_EQ(manifest["values"].size(), 2u);
  WriteDump(path, true);
  manifest = nlohmann::json::parse(dump.Get("/api/manifest", "", false).body);
  EXPECT_EQ(manifest["complete"], true);
}

TEST(ServedDump, ARunThatGoesOnWritesProtobuf) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/d";
  WriteDump(path, false, 4, DumpFormat::kPb);
  ServedDump dump({path});
  std::ofstream(path + "/0002_none_00000000.pb");
  std::ofstream(path + "/0003_cut_00000000.pb") << "\x08\x02\x10\x01\x4a\x08";
  const auto manifest =
      nlohmann::json::parse(dump.Get("/api/manifest", "", false).body);
  ASSERT_EQ(manifest["values"].size(), 2u);
  EXPECT_EQ(manifest["values"][1]["name"], "second");
  EXPECT_EQ(manifest["values"][1]["a"]["type"], "float[2]");
  EXPECT_EQ(manifest["values"][1]["a"]["stats"]["max"], 4);
  EXPECT_THAT(dump.Get("/layer/1", "", false).body,
              HasSubstr("\"first_a\":[\"1\",\"4\"]"));
}

TEST(ServedDump, ARunThatGoesOnHasSequences) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/d";
  DumpWriter dump(path, {});
  DumpedValue value;
  value.name = "parts";
  Data sequence;
  sequence.kind = Data::Kind::kSequence;
  sequence.parts = {DataOf(FloatsOf({1, 2})), DataOf(FloatsOf({7}))};
  sequence.element_type = sequence.parts[0].tensor.type;
  dump.Add(value, sequence);
  ServedDump served({path});
  const auto manifest =
      nlohmann::json::parse(served.Get("/api/manifest", "", false).body);
  ASSERT_EQ(manifest["values"].size(), 1u);
  EXPECT_EQ(manifest["values"][0]["a"]["type"], "seq(float)");
  EXPECT_EQ(manifest["values"][0]["a"]["stats"]["max"], 7);
  EXPECT_EQ(served.Get("/layer/0", "", false).status, 200);
}

TEST(ServedDump, ADumpMadeAnew) {
  const TemporaryFolder folder;
  WriteDump(folder.path() + "/d", true);
  ServedDump dump({folder.path() + "/d"});
  WriteDump(folder.path() + "/d", true, 9);
  EXPECT_THAT(dump.Get("/layer/1", "", false).body, HasSubstr("\"max\":9.0"));
}

}  // namespace
}  // namespace onnx_expose
