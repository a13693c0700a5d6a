#include "onnx_expose/dump.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <set>
#include <string>

#include "onnx_expose/element_types.h"
#include "tensor/file_name.h"
#include "tests/support/model_files.h"
#include "tests/support/tensors.h"

namespace onnx_expose {
namespace {

namespace fs = std::filesystem;

using testing::DataOf;
using testing::FloatsOf;
using testing::MapOf;
using testing::ReadFile;
using testing::Same;
using testing::SequenceOf;
using testing::StringsOf;
using testing::TemporaryFolder;
using testing::TensorOf;
using testing::WriteFile;

DumpedValue Named(int index, const std::string& name) {
  DumpedValue value;
  value.index = index;
  value.name = name;
  value.op_type = "Conv";
  return value;
}

std::set<std::string> FilesIn(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

Error Refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "was not refused";
  return {ExitCode::kDone, "", {"", "", ""}};
}

std::vector<Data> OneOfEach() {
  std::vector<Data> all;
  for (int type = 1; IsElementType(type); ++type) {
    if (ElementBits(type) == 0) continue;
    std::vector<std::byte> bytes(DataBytes(type, 5));
    // The padding after 5 elements is zero, as everywhere.
    for (size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] =
          static_cast<std::byte>(ElementName(type) == "bool" ? i % 2 : i);
    }
    if (DataBytes(type, 5) * 8 > 5 * static_cast<uint64_t>(ElementBits(type))) {
      bytes.back() = std::byte{0};
    }
    all.push_back(DataOf(MakeTensor(type, {5, 1}, bytes)));
  }
  all.push_back(DataOf(TensorOf<float>(ElementType("float"), {}, {3})));
  all.push_back(DataOf(TensorOf<float>(ElementType("float"), {0, 7}, {})));
  all.push_back(DataOf(StringsOf({"a", "b\xc3\xa9"})));
  all.push_back(DataOf(StringsOf({std::string("\0", 1), "\xff"})));
  all.push_back(SequenceOf({DataOf(FloatsOf({1, 2})), DataOf(FloatsOf({}))}));
  all.push_back(SequenceOf({DataOf(StringsOf({"a"}))}));
  all.push_back(SequenceOf(
      {DataOf(TensorOf<uint16_t>(ElementType("bfloat16"), {2}, {1, 0xffff}))}));
  const Data map = MapOf(TensorOf<int64_t>(ElementType("int64"), {2}, {1, 2}),
                         FloatsOf({3, 4}));
  all.push_back(map);
  all.push_back(MapOf(StringsOf({"x"}), FloatsOf({3})));
  all.push_back(SequenceOf({map, map}));
  Data none;
  none.kind = Data::Kind::kNone;
  all.push_back(none);
  return all;
}

TEST(Dump, ComesBackInEveryFormat) {
  const std::vector<Data> all = OneOfEach();
  DumpOptions deflated{DumpFormat::kNpz, true, false, false};
  for (const DumpOptions& options :
       {DumpOptions{}, DumpOptions{DumpFormat::kNpz, false, false, false},
        deflated, DumpOptions{DumpFormat::kPb, false, false, false}}) {
    const TemporaryFolder folder;
    DumpWriter writer(folder / "dump", options);
    // Backwards: the manifest is in order all the same.
    for (size_t i = all.size(); i-- > 0;) {
      writer.Add(Named(static_cast<int>(i), "/layer/" + std::to_string(i)),
                 all[i]);
    }
    writer.Finish({});
    const Manifest manifest = ReadDump(folder / "dump");
    ASSERT_EQ(manifest.values.size(), all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      const DumpedValue& value = manifest.values[i];
      SCOPED_TRACE(value.type + " in " + value.file);
      EXPECT_EQ(value.index, static_cast<int>(i));
      EXPECT_TRUE(Same(DumpReader(folder / "dump").Read(value), all[i]));
    }
  }
}

TEST(Dump, SaysEverythingInItsManifest) {
  const TemporaryFolder folder;
  DumpHeader header;
  header.model = {"m\xff.onnx", "abc"};
  header.runtime = {"1.21", "CPU", "disable", 2};
  header.inputs = {{"x", "x.npy", "float[1]", {1}, "", "def"}};
  header.original_outputs_unchanged = false;
  header.changed_outputs = {"y", "\xff"};
  header.notes = {"a note"};
  DumpedValue value = Named(0, "bad \xfe\"name\n");
  value.domain = "com.microsoft";
  value.node = "node\xff";
  value.scope = "loop/body";
  value.original_output = true;
  DumpWriter writer(folder / "d", {});
  const float infinity = std::numeric_limits<float>::infinity();
  const DumpedValue& added =
      writer.Add(value, DataOf(FloatsOf({1, -infinity, 0})));
  EXPECT_EQ(added.type, "float[3]");
  EXPECT_EQ(added.stats.neg_inf, 1U);
  EXPECT_EQ(writer.bytes_written(), 128U + 12U);
  const Manifest written = writer.Finish(header);
  const Manifest read = ReadDump(folder / "d");
  EXPECT_EQ(read.model.path, header.model.path);
  EXPECT_EQ(read.model.sha256, "abc");
  EXPECT_EQ(read.runtime.version, "1.21");
  EXPECT_EQ(read.runtime.threads, 2);
  EXPECT_EQ(read.inputs.at(0).source, "x.npy");
  EXPECT_EQ(read.original_outputs_unchanged, false);
  EXPECT_EQ(read.changed_outputs, header.changed_outputs);
  EXPECT_EQ(read.notes, header.notes);
  const DumpedValue& back = read.values.at(0);
  EXPECT_EQ(back.name, value.name);
  EXPECT_EQ(back.node, value.node);
  EXPECT_EQ(back.scope, value.scope);
  EXPECT_EQ(back.domain, value.domain);
  EXPECT_TRUE(back.original_output);
  EXPECT_EQ(back.shape, std::vector<int64_t>{3});
  EXPECT_EQ(back.file, written.values.at(0).file);
  EXPECT_EQ(back.stats.count, 3U);
  EXPECT_EQ(back.stats.finite, 2U);
  EXPECT_EQ(back.stats.mean, 0.5);
  EXPECT_EQ(back.stats.neg_inf, 1U);
  EXPECT_EQ(back.stats.first_bad, 1U);
  EXPECT_EQ(back.stats.histogram, added.stats.histogram);
  const std::string csv = ReadFile(folder / "d/stats.csv");
  EXPECT_NE(csv.find("\n\"bad \\xfe\"\"name\\n\",Conv,node\\xff,loop/body,"
                     "float[3],[3],3,0,1,0.5,0.5,1,1,0,0,1,1\n"),
            std::string::npos)
      << csv;
}

TEST(Dump, IsNoneBeforeItIsFinished) {
  const TemporaryFolder folder;
  {
    DumpWriter writer(folder / "d", {});
    writer.Add(Named(0, "x"), DataOf(FloatsOf({1})));
  }
  Error error = Refusal([&] { ReadDump(folder / "d"); });
  EXPECT_EQ(error.code(), ExitCode::kInput);
  EXPECT_STREQ(error.what(), "the dump is incomplete");
  error = Refusal([&] { DumpWriter(folder / "d", {}); });
  EXPECT_EQ(error.code(), ExitCode::kOutput);
  EXPECT_STREQ(error.what(), "holds an incomplete dump");
  DumpOptions force;
  force.force = true;
  DumpWriter writer(folder / "d", force);
  writer.Finish({});
  EXPECT_EQ(FilesIn(folder / "d"),
            (std::set<std::string>{"manifest.json", "stats.csv"}));
}

TEST(Dump, ReplacesAnotherOnlyWithForce) {
  const TemporaryFolder folder;
  {
    DumpWriter writer(folder / "d", {});
    writer.Add(Named(0, "x"), DataOf(FloatsOf({1})));
    writer.Finish({});
  }
  // Not the dump's: it stays, although it looks like a file of one.
  WriteFile(folder / "d/0009_y_01234567.npy", "mine");
  WriteFile(folder / "d/notes.txt", "mine");
  const auto before = FilesIn(folder / "d");
  const Error error = Refusal([&] { DumpWriter(folder / "d", {}); });
  EXPECT_STREQ(error.what(), "holds a dump already");
  EXPECT_EQ(FilesIn(folder / "d"), before);
  DumpOptions force;
  force.force = true;
  DumpWriter writer(folder / "d", force);
  EXPECT_EQ(FilesIn(folder / "d"),
            (std::set<std::string>{".onnx-expose-incomplete",
                                   "0009_y_01234567.npy", "notes.txt"}));
  EXPECT_STREQ(Refusal([&] { ReadDump(folder / "d"); }).what(),
               "the dump is incomplete");
}

TEST(Dump, LeavesFoldersAloneThatAreNone) {
  const TemporaryFolder folder;
  for (const auto& [name, content] :
       std::vector<std::pair<std::string, std::string>>{
           {"notes.txt", ""},
           {"0009_y_01234567.npy", ""},
           {"manifest.json", "{}"},
           {"manifest.json", R"({"name": "a web app"})"}}) {
    fs::create_directory(folder / "d");
    WriteFile(folder / ("d/" + name), content);
    DumpOptions force;
    force.force = true;
    const Error error = Refusal([&] { DumpWriter(folder / "d", force); });
    EXPECT_EQ(error.code(), ExitCode::kOutput);
    EXPECT_STREQ(error.what(), "isn't empty and isn't a dump");
    EXPECT_EQ(FilesIn(folder / "d"), std::set<std::string>{name});
    fs::remove_all(folder / "d");
  }
}

TEST(Dump, NamesFoldersThatItCantMake) {
  const TemporaryFolder folder;
  WriteFile(folder / "file", "");
  const Error error = Refusal([&] { DumpWriter(folder / "file", {}); });
  EXPECT_EQ(error.code(), ExitCode::kOutput);
  EXPECT_EQ(error.file(), folder / "file");
}

TEST(Dump, StatisticsOnly) {
  const TemporaryFolder folder;
  DumpOptions options;
  options.stats_only = true;
  DumpWriter writer(folder / "d", options);
  writer.Add(Named(0, "x"), DataOf(FloatsOf({1})));
  writer.Finish({});
  EXPECT_EQ(FilesIn(folder / "d"),
            (std::set<std::string>{"manifest.json", "stats.csv"}));
  const Manifest manifest = ReadDump(folder / "d");
  EXPECT_EQ(manifest.values[0].stats.mean, 1);
  EXPECT_STREQ(Refusal([&] {
                 DumpReader(folder / "d").Read(manifest.values[0]);
               }).what(),
               "has statistics of 'x' and not its elements");
}

TEST(Dump, MembersAreTheValuesNames) {
  const TemporaryFolder folder;
  DumpOptions options;
  options.format = DumpFormat::kNpz;
  DumpWriter writer(folder / "d", options);
  const Data data = DataOf(FloatsOf({1}));
  EXPECT_EQ(writer.Add(Named(0, "/a/b"), data).member, "/a/b");
  EXPECT_EQ(writer.Add(Named(1, "/a/b"), data).member.substr(0, 9),
            "0001_a_b_");
  EXPECT_EQ(writer.Add(Named(2, "../x"), data).member.substr(0, 5), "0002_");
  EXPECT_EQ(writer.Add(Named(3, "x.npy"), data).member.substr(0, 5), "0003_");
  EXPECT_EQ(writer.Add(Named(4, "\xff"), data).member.substr(0, 5), "0004_");
}

TEST(Dump, NoticesFilesThatWereChanged) {
  const TemporaryFolder folder;
  DumpWriter writer(folder / "d", {});
  const std::string x =
      writer.Add(Named(0, "x"), DataOf(FloatsOf({1, 2}))).file;
  const std::string y = writer.Add(Named(1, "y"), DataOf(FloatsOf({1}))).file;
  const Manifest manifest = writer.Finish({});
  const std::string content = ReadFile(folder / ("d/" + x));
  WriteFile(folder / ("d/" + x), content.substr(0, content.size() - 1));
  EXPECT_THROW(DumpReader(folder / "d").Read(manifest.values[0]), Error);
  WriteFile(folder / ("d/" + y), content);
  EXPECT_STREQ(Refusal([&] {
                 DumpReader(folder / "d").Read(manifest.values[1]);
               }).what(),
               "holds shape [2] where the manifest says [1]");
  fs::remove(folder / ("d/" + x));
  EXPECT_THROW(DumpReader(folder / "d").Read(manifest.values[0]), Error);
}

TEST(Dump, LargeTensorsGoThroughTheThread) {
  const TemporaryFolder folder;
  const std::vector<float> numbers(size_t{1} << 20, 0.5F);
  DumpWriter writer(folder / "d", {});
  const DumpedValue& value =
      writer.Add(Named(0, "x"), DataOf(FloatsOf(numbers)));
  EXPECT_EQ(value.stats.mean, 0.5);
  const std::string file = value.file;
  for (int i = 1; i < 10; ++i) {
    writer.Add(Named(i, "x"), DataOf(FloatsOf(numbers)));
  }
  EXPECT_EQ(writer.Finish({}).values.size(), 10U);
  EXPECT_EQ(writer.bytes_written(), 10 * (128 + 4 * numbers.size()));
  EXPECT_EQ(fs::file_size(folder / ("d/" + file)), 128 + 4 * numbers.size());
}

TEST(Dump, FailuresOfTheThreadComeOut) {
  const TemporaryFolder folder;
  const std::vector<float> numbers(size_t{1} << 20, 0.5F);
  for (const uint64_t behind : {uint64_t{0}, uint64_t{64} << 20}) {
    DumpOptions options;
    options.force = true;
    options.write_behind = behind;
    DumpWriter writer(folder / "d", options);
    // The same index and name: the file is there already.
    const auto add = [&] {
      writer.Add(Named(0, "x"), DataOf(FloatsOf(numbers)));
    };
    add();
    if (behind == 0) {
      EXPECT_THROW(add(), Error);
    } else {
      EXPECT_NO_THROW(add());
      EXPECT_THROW(writer.Finish({}), Error);
      EXPECT_THROW(ReadDump(folder / "d"), Error);
    }
  }
}

TEST(FileName, IsSafeAndTellsNamesApart) {
  EXPECT_EQ(FileStem(7, "/layer1/conv", "").substr(0, 17), "0007_layer1_conv_");
  EXPECT_NE(FileStem(7, "a/b", ""), FileStem(7, "a_b", ""));
  EXPECT_NE(FileStem(7, "a", ""), FileStem(7, "a", "body"));
  EXPECT_LE(FileStem(7, std::string(1000, 'x'), "").size(), 80U);
  for (const char* name : {"", "..", "/", "\xff", "a b", "CON", "x\n"}) {
    const std::string file = FileStem(12345, name, "") + ".npy";
    EXPECT_TRUE(IsTensorFileName(file)) << file;
  }
  for (const char* name :
       {"a.npy", "0001_a.npy", "0001_a_0123456g.npy", "001_a_01234567.npy",
        "0001_a_01234567.txt", "0001_a b_01234567.npy", "../0001_a_01234567.pb",
        "", ".npy", "0001_01234567.npy"}) {
    EXPECT_FALSE(IsTensorFileName(name)) << name;
  }
}

}  // namespace
}  // namespace onnx_expose
