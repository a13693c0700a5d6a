#include "onnx_expose/feeds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-data.pb.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/support/model_files.h"
#include "tests/unit/runtime/feed_testing.h"

namespace onnx_expose::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Inputs = std::vector<InputInfo>;

// The feeds of the only set, by name.
class Loaded {
 public:
  Loaded(const Inputs& inputs, const FeedOptions& options) {
    const FeedPlan plan = PlanFeeds(inputs, options);
    EXPECT_EQ(plan.size(), 1U);
    set_ = LoadFeeds(inputs, options, plan.at(0));
  }

  const Feed& operator[](const std::string& name) const {
    for (const Feed& feed : set_.feeds) {
      if (feed.name == name) return feed;
    }
    ADD_FAILURE() << "no feed " << name;
    static const Feed none;
    return none;
  }
  std::vector<int64_t> Shape(const std::string& name) const {
    return (*this)[name].data.tensor.shape;
  }
  const FeedSet& set() const { return set_; }
  // What is warned of, "what; hint" each.
  std::vector<std::string> Warned() const {
    std::vector<std::string> texts;
    for (const Message& message : set_.warnings) {
      texts.push_back(message.what +
                      (message.hint.empty() ? "" : "; " + message.hint));
    }
    return texts;
  }

 private:
  FeedSet set_;
};

std::string LoadProblem(const Inputs& inputs, const FeedOptions& options) {
  return Problem([&] { Loaded(inputs, options); });
}

std::string PlanProblem(const Inputs& inputs, const FeedOptions& options) {
  return Problem([&] { PlanFeeds(inputs, options); });
}

std::string FloatNpy(const std::vector<int64_t>& shape) {
  return Npy("<f4", shape, std::vector<float>(ElementCount(shape)));
}

std::string FloatPb(const std::string& name, const std::vector<float>& values) {
  onnx::TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(static_cast<int64_t>(values.size()));
  for (const float x : values) tensor.add_float_data(x);
  return tensor.SerializeAsString();
}

class Feeds : public ::testing::Test {
 protected:
  // The path of a new file in the folder.
  std::string File(const std::string& name, const std::string& bytes) {
    const std::string path = folder_ / name;
    fs::create_directories(fs::path(path).parent_path());
    WriteFile(path, bytes);
    return path;
  }
  std::string Path(const std::string& name) const { return folder_ / name; }

 private:
  TemporaryFolder folder_;
};

std::string Data(const std::string& name) {
  return std::string(ONNX_EXPOSE_TEST_DATA "/feeds/") + name;
}

// Random inputs and free dims.

TEST_F(Feeds, RandomIfNothingIsGiven) {
  const Loaded feeds({Input("x", "float", {"2", "3"}), Input("i", "int64", {})},
                     {});
  EXPECT_EQ(feeds.set().name, "");
  EXPECT_THAT(feeds.Shape("x"), ElementsAre(2, 3));
  EXPECT_EQ(feeds["x"].source, "uniform(0,1), seed 0");
  EXPECT_EQ(feeds["i"].source, "integers(0,10), seed 0");
  EXPECT_THAT(feeds.Warned(), IsEmpty());
}

TEST_F(Feeds, RandomDependsOnNameAndSeedAlone) {
  const InputInfo x = Input("x", "float", {"4"});
  const InputInfo y = Input("y", "float", {"4"});
  const auto numbers = [](const Inputs& inputs, uint64_t seed,
                          const std::string& name) {
    FeedOptions options;
    options.seed = seed;
    return Elements<float>(Loaded(inputs, options)[name].data.tensor);
  };
  EXPECT_EQ(numbers({x, y}, 7, "x"), numbers({y, x}, 7, "x"));
  EXPECT_EQ(numbers({x, y}, 7, "x"), numbers({x}, 7, "x"));
  EXPECT_NE(numbers({x, y}, 7, "x"), numbers({x, y}, 7, "y"));
  EXPECT_NE(numbers({x}, 7, "x"), numbers({x}, 8, "x"));
}

TEST_F(Feeds, FreeDimsAreOneAndThatIsSaid) {
  const Loaded feeds(
      {Input("x", "float", {"N", "3"}), Input("y", "float", {"N", "", "M"})},
      {});
  EXPECT_THAT(feeds.Shape("x"), ElementsAre(1, 3));
  EXPECT_THAT(feeds.Shape("y"), ElementsAre(1, 1, 1));
  EXPECT_THAT(feeds.Warned(),
              ElementsAre("taken to be 1, for nothing says otherwise: 'N', dim "
                          "1 of 'y', 'M'; --dim N=2 and --shape x=1,3,224,224 "
                          "give sizes"));
}

TEST_F(Feeds, DimAndShape) {
  FeedOptions options;
  options.dims = {{"N", 2}};
  options.shapes = {{"y", {2, 5, 6}}};
  const Loaded feeds(
      {Input("x", "float", {"N", "M"}), Input("y", "float", {"N", "", "M"})},
      options);
  EXPECT_THAT(feeds.Shape("x"), ElementsAre(2, 6));
  EXPECT_THAT(feeds.Shape("y"), ElementsAre(2, 5, 6));
  EXPECT_THAT(feeds.Warned(), IsEmpty());
}

TEST_F(Feeds, UnknownRank) {
  InputInfo x = Input("x", "float", {});
  x.dims.reset();
  const Loaded feeds({x}, {});
  EXPECT_THAT(feeds.Shape("x"), ElementsAre(1));
  EXPECT_THAT(feeds.Warned(), ElementsAre(HasSubstr("rank is not known")));
  FeedOptions options;
  options.shapes = {{"x", {2, 2}}};
  EXPECT_THAT(Loaded({x}, options).Shape("x"), ElementsAre(2, 2));
}

TEST_F(Feeds, Rules) {
  FeedOptions options;
  options.random = {{"x", "constant(2)"}, {"d", "integers(5,6)"}};
  InputInfo with_default = Input("d", "int64", {"1"});
  with_default.has_default = true;
  const Loaded feeds({Input("x", "float", {"2"}), with_default}, options);
  EXPECT_THAT(Elements<float>(feeds["x"].data.tensor), ElementsAre(2, 2));
  EXPECT_EQ(feeds["x"].source, "constant(2)");
  EXPECT_THAT(Elements<int64_t>(feeds["d"].data.tensor), ElementsAre(5));
}

TEST_F(Feeds, DefaultsAreLeftOut) {
  InputInfo with_default = Input("w", "float", {"1"});
  with_default.has_default = true;
  const Loaded feeds({Input("x", "float", {"1"}), with_default}, {});
  EXPECT_EQ(feeds.set().feeds.size(), 1U);
}

TEST_F(Feeds, NoInputs) { EXPECT_THAT(Loaded({}, {}).set().feeds, IsEmpty()); }

// Options that can't be.

TEST_F(Feeds, OptionsOfNoInput) {
  const Inputs inputs = {Input("input_ids", "int64", {"batch", "7"}),
                         Input("mask", "int64", {"batch", "7"})};
  FeedOptions options;
  options.files = {{"input_id", "x.npy"}};
  EXPECT_EQ(PlanProblem(inputs, options),
            "usage: --input: there is no graph input 'input_id'; did you mean "
            "'input_ids'?");
  options = {};
  options.random = {{"zzz", "constant(1)"}};
  EXPECT_EQ(PlanProblem(inputs, options),
            "usage: --random: there is no graph input 'zzz'; there is "
            "'input_ids', 'mask'");
  options = {};
  options.shapes = {{"Mask", {1, 7}}};
  EXPECT_THAT(PlanProblem(inputs, options), HasSubstr("did you mean 'mask'?"));
  options = {};
  options.dims = {{"Batch", 1}};
  EXPECT_EQ(PlanProblem(inputs, options),
            "usage: no graph input has a dim 'Batch'; there is 'batch'");
  EXPECT_EQ(PlanProblem({Input("x", "float", {"3"})}, options),
            "usage: no graph input has a dim 'Batch'; no graph input has a "
            "symbolic dim");
}

TEST_F(Feeds, OptionsTwice) {
  const Inputs inputs = {Input("x", "float", {"N", "N"})};
  FeedOptions options;
  options.files = {{"x", "a.npy"}, {"x", "b.npy"}};
  EXPECT_EQ(PlanProblem(inputs, options),
            "usage: --input is given twice for 'x'");
  options = {};
  options.shapes = {{"x", {1, 1}}, {"x", {1, 1}}};
  EXPECT_EQ(PlanProblem(inputs, options),
            "usage: --shape is given twice for 'x'");
  options = {};
  options.dims = {{"N", 1}, {"N", 2}};
  EXPECT_EQ(PlanProblem(inputs, options), "usage: dim 'N' is to be 1 and 2");
  options = {};
  options.shapes = {{"x", {1, 2}}};
  EXPECT_EQ(PlanProblem(inputs, options), "usage: dim 'N' is to be 1 and 2");
}

TEST_F(Feeds, ShapesThatDoNotFit) {
  const Inputs inputs = {Input("x", "float", {"N", "3"})};
  FeedOptions options;
  options.shapes = {{"x", {1, 2, 3}}};
  EXPECT_EQ(PlanProblem(inputs, options),
            "usage: the graph input 'x' is float[N,3], and --shape gives 3 "
            "dims");
  options.shapes = {{"x", {1, 4}}};
  EXPECT_EQ(PlanProblem(inputs, options),
            "usage: dim 1 of the graph input 'x' is fixed: 3, not 4");
  options.shapes = {{"x", {-1, 3}}};
  EXPECT_THAT(PlanProblem(inputs, options), HasSubstr("negative dim: [-1,3]"));
  options = {};
  options.dims = {{"N", -2}};
  EXPECT_EQ(PlanProblem(inputs, options),
            "usage: the size of dim 'N' is negative: -2");
}

TEST_F(Feeds, RulesAreCheckedEarly) {
  FeedOptions options;
  options.random = {{"x", "uniform(0,1)"}};
  EXPECT_THAT(PlanProblem({Input("x", "int64", {"1"})}, options),
              HasSubstr("usage: --random x: uniform needs"));
}

// Files.

TEST_F(Feeds, NpyTellsTheSizeOfSymbols) {
  FeedOptions options;
  options.files = {{"y", File("y.npy", FloatNpy({5, 3}))}};
  const Loaded feeds(
      {Input("x", "float", {"N"}), Input("y", "float", {"N", "3"})}, options);
  EXPECT_THAT(feeds.Shape("x"), ElementsAre(5));
  EXPECT_THAT(feeds.Shape("y"), ElementsAre(5, 3));
  EXPECT_EQ(feeds["y"].source, Path("y.npy"));
  EXPECT_THAT(feeds.Warned(), IsEmpty());
}

TEST_F(Feeds, TwoSizesOfASymbolAreAWarning) {
  FeedOptions options;
  options.files = {{"x", File("x.npy", FloatNpy({4}))},
                   {"y", File("y.npy", FloatNpy({2}))}};
  const Loaded feeds({Input("x", "float", {"N"}), Input("y", "float", {"N"})},
                     options);
  EXPECT_THAT(feeds.Warned(),
              ElementsAre("dim 'N' is 4 of input 'x' and 2 of input 'y'"));
}

TEST_F(Feeds, FilesAgainstDimAndShape) {
  const Inputs inputs = {Input("x", "float", {"N"})};
  FeedOptions options;
  options.files = {{"x", File("x.npy", FloatNpy({4}))}};
  options.dims = {{"N", 2}};
  EXPECT_EQ(LoadProblem(inputs, options),
            "input: " + Path("x.npy") +
                ": dim 'N' is to be 2, and this is [4] for input 'x': dim 0 is "
                "4");
  options.dims = {};
  options.shapes = {{"x", {3}}};
  EXPECT_EQ(LoadProblem(inputs, options),
            "input: " + Path("x.npy") +
                ": --shape says [3] for input 'x', this is [4]");
}

TEST_F(Feeds, NpyIsChecked) {
  FeedOptions options;
  options.files = {{"x", File("x.npy", FloatNpy({4}))}};
  EXPECT_EQ(LoadProblem({Input("x", "int64", {"N"})}, options),
            "input: " + Path("x.npy") +
                ": input 'x' is int64[N], this is float[4]; "
                "x.astype(numpy.int64)");
}

TEST_F(Feeds, NpzMembers) {
  const Inputs inputs = {Input("a", "float", {"N", "3"}),
                         Input("z", "int64", {"M"})};
  FeedOptions options;
  options.files = {{"a", Data("pair.npz")}, {"z", Data("pair.npz:b")}};
  const Loaded feeds(inputs, options);
  EXPECT_THAT(feeds.Shape("a"), ElementsAre(2, 3));
  EXPECT_THAT(Elements<int64_t>(feeds["z"].data.tensor), ElementsAre(7, 8));
  EXPECT_EQ(feeds["z"].source, Data("pair.npz:b"));

  options.files = {{"z", Data("pair.npz")}};
  EXPECT_EQ(LoadProblem(inputs, options),
            "input: " + Data("pair.npz") +
                ": no member is named 'z'; there is 'a', 'b'; name one: "
                "--input 'z=" +
                Data("pair.npz") + ":MEMBER'");
  options.files = {{"a", Data("single.npz")}};
  EXPECT_THAT(Loaded(inputs, options).Shape("a"), ElementsAre(2, 3));
}

TEST_F(Feeds, RawBytes) {
  const Inputs inputs = {Input("x", "int16", {"N", "2"})};
  FeedOptions options;
  options.files = {{"x", File("x.bin", std::string("\1\0\2\0\3\0\4\0", 8))}};
  // One free dim follows from the size of the file.
  const Loaded feeds(inputs, options);
  EXPECT_THAT(feeds.Shape("x"), ElementsAre(2, 2));
  EXPECT_THAT(Elements<int16_t>(feeds["x"].data.tensor),
              ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(LoadProblem({Input("x", "int16", {"N", "M"})}, options),
            "input: " + Path("x.bin") +
                ": raw bytes for the input 'x', which is int16[N,M], need a "
                "shape; --shape 'x=1,3,224,224'");
  options.shapes = {{"x", {1, 4}}};
  EXPECT_THAT(Loaded({Input("x", "int16", {"N", "M"})}, options).Shape("x"),
              ElementsAre(1, 4));
  EXPECT_THAT(LoadProblem({Input("x", "string", {"N", "M"})}, options),
              HasSubstr("raw bytes can't be the input 'x'"));
  options.shapes = {};
  EXPECT_THAT(LoadProblem({Input("x", "int16", {"N", "3"})}, options),
              HasSubstr("need a shape"));
}

TEST_F(Feeds, Picture) {
  const Inputs inputs = {Input("x", "float", {"N", "3", "H", "W"}),
                         Input("y", "float", {"H"})};
  FeedOptions options;
  options.files = {{"x", Data("rgb.png")}};
  options.mean = {1};
  const Loaded feeds(inputs, options);
  EXPECT_THAT(feeds.Shape("x"), ElementsAre(1, 3, 4, 5));
  EXPECT_THAT(feeds.Shape("y"), ElementsAre(4));
  EXPECT_EQ(Elements<float>(feeds["x"].data.tensor)[0], -1);
  options.dims = {{"H", 8}};
  options.shapes = {{"x", {2, 3, 8, 6}}};
  EXPECT_THAT(Loaded(inputs, options).Shape("x"), ElementsAre(2, 3, 8, 6));
  InputInfo any = Input("x", "float", {});
  any.dims.reset();
  options.dims = {};
  options.shapes = {};
  EXPECT_THAT(LoadProblem({any}, options),
              HasSubstr("--shape 'x=1,3,224,224' gives it a shape"));
}

TEST_F(Feeds, PictureTakesTheSizeOfOtherFeeds) {
  FeedOptions options;
  options.files = {{"x", Data("rgb.png")}, {"y", File("y.npy", FloatNpy({8}))}};
  const Loaded feeds(
      {Input("x", "float", {"1", "3", "H", "5"}), Input("y", "float", {"H"})},
      options);
  EXPECT_THAT(feeds.Shape("x"), ElementsAre(1, 3, 8, 5));
}

TEST_F(Feeds, MissingFile) {
  FeedOptions options;
  options.files = {{"x", Path("none.npy")}};
  EXPECT_THAT(LoadProblem({Input("x", "float", {"N"})}, options),
              HasSubstr("input: " + Path("none.npy")));
}

// Sets.

TEST_F(Feeds, FolderKeyedByName) {
  File("set/x.npy", FloatNpy({2}));
  File("set/a/b.pb", FloatPb("", {1, 2, 3}));
  File("set/imput.npy", FloatNpy({1}));
  File("set/readme.txt", "");
  FeedOptions options;
  options.sets = {Path("set")};
  const Inputs inputs = {Input("x", "float", {"N"}),
                         Input("a/b", "float", {"M"}),
                         Input("input", "float", {"1"})};
  const Loaded feeds(inputs, options);
  EXPECT_THAT(feeds.Shape("x"), ElementsAre(2));
  EXPECT_THAT(Elements<float>(feeds["a/b"].data.tensor), ElementsAre(1, 2, 3));
  EXPECT_EQ(feeds["input"].source, "uniform(0,1), seed 0");
  EXPECT_THAT(
      feeds.Warned(),
      ElementsAre(
          Path("set") + ": 'imput' belongs to no input; did you mean "
                        "'input'?",
          Path("set") + " has no value for 'input': random ones are taken"));
}

TEST_F(Feeds, FilesWinOverTheSet) {
  File("set/x.npy", FloatNpy({2}));
  FeedOptions options;
  options.sets = {Path("set")};
  options.files = {{"x", File("other.npy", FloatNpy({3}))}};
  EXPECT_THAT(Loaded({Input("x", "float", {"N"})}, options).Shape("x"),
              ElementsAre(3));
}

TEST_F(Feeds, FolderWithTwoValuesOfAnInput) {
  File("set/x.npy", FloatNpy({2}));
  File("set/x.pb", FloatPb("", {1, 2}));
  FeedOptions options;
  options.sets = {Path("set")};
  EXPECT_EQ(LoadProblem({Input("x", "float", {"N"})}, options),
            "input: " + Path("set/x.pb") +
                ": a second value for the input 'x', besides '" +
                Path("set/x.npy") + "'");
}

TEST_F(Feeds, FolderOfStrangers) {
  File("set/y.npy", FloatNpy({2}));
  FeedOptions options;
  options.sets = {Path("set")};
  EXPECT_EQ(LoadProblem({Input("x", "float", {"N"})}, options),
            "input: " + Path("set") +
                ": nothing in it is named after an input; there is 'y'; there "
                "is 'x'");
}

TEST_F(Feeds, NpzKeyedByName) {
  FeedOptions options;
  options.sets = {Data("pair.npz")};
  const Loaded feeds(
      {Input("b", "int64", {"N"}), Input("a", "float", {"2", "3"})}, options);
  EXPECT_THAT(Elements<int64_t>(feeds["b"].data.tensor), ElementsAre(7, 8));
  EXPECT_THAT(feeds.Shape("a"), ElementsAre(2, 3));
  options.sets = {Data("single.npz")};
  EXPECT_THAT(Loaded({Input("x", "float", {"N", "3"})}, options).Shape("x"),
              ElementsAre(2, 3));
}

TEST_F(Feeds, TestData) {
  InputInfo with_default = Input("w", "float", {"1"});
  with_default.has_default = true;
  const Inputs inputs = {with_default, Input("x", "float", {"N"}),
                         Input("y", "float", {"M"})};
  FeedOptions options;
  options.sets = {Path("data")};
  // In the model's order; a name that is an input's wins.
  File("data/input_0.pb", FloatPb("", {1}));
  File("data/input_1.pb", FloatPb("unknown", {2, 3}));
  File("data/output_0.pb", FloatPb("", {4}));
  const Loaded by_order(inputs, options);
  EXPECT_THAT(Elements<float>(by_order["x"].data.tensor), ElementsAre(1));
  EXPECT_THAT(Elements<float>(by_order["y"].data.tensor), ElementsAre(2, 3));
  EXPECT_EQ(by_order.set().feeds.size(), 2U);
  EXPECT_EQ(by_order["y"].source, Path("data/input_1.pb"));

  File("data/input_0.pb", FloatPb("y", {1}));
  File("data/input_1.pb", FloatPb("x", {2, 3}));
  const Loaded by_name(inputs, options);
  EXPECT_THAT(Elements<float>(by_name["y"].data.tensor), ElementsAre(1));
  EXPECT_THAT(Elements<float>(by_name["x"].data.tensor), ElementsAre(2, 3));

  File("data/input_1.pb", FloatPb("", {2, 3}));
  EXPECT_THAT(LoadProblem(inputs, options),
              HasSubstr("input_1.pb: a second value for the input 'y'"));
  File("data/input_1.pb", FloatPb("x", {2, 3}));
  File("data/input_2.pb", FloatPb("w", {9}));
  EXPECT_THAT(Elements<float>(Loaded(inputs, options)["w"].data.tensor),
              ElementsAre(9));
  File("data/input_3.pb", FloatPb("", {9}));
  EXPECT_THAT(LoadProblem(inputs, options),
              HasSubstr("input_3.pb: there is no input for this: the model has "
                        "2 inputs without a default"));
}

TEST_F(Feeds, TestDataOfAModelWithoutInputs) {
  File("m/test_data_set_0/output_0.pb", FloatPb("", {1}));
  FeedOptions options;
  options.sets = {Path("m")};
  EXPECT_THAT(Loaded({}, options).set().feeds, IsEmpty());
}

TEST_F(Feeds, TestDataOfASequence) {
  onnx::SequenceProto sequence;
  sequence.set_elem_type(onnx::SequenceProto::TENSOR);
  for (const float x : {1.0F, 2.0F}) {
    sequence.add_tensor_values()->ParseFromString(FloatPb("", {x}));
  }
  File("data/input_0.pb", sequence.SerializeAsString());
  InputInfo input = Input("s", "float", {});
  input.kind = InputInfo::Kind::kSequence;
  input.dims.reset();
  input.type = "seq(float)";
  FeedOptions options;
  options.sets = {Path("data")};
  const Loaded feeds({input}, options);
  ASSERT_EQ(feeds["s"].data.parts.size(), 2U);
  EXPECT_THAT(Elements<float>(feeds["s"].data.parts[1].tensor), ElementsAre(2));
}

std::vector<std::string> NamesOf(const FeedPlan& plan) {
  std::vector<std::string> names;
  for (const FeedSource& source : plan) names.push_back(source.name);
  return names;
}

TEST_F(Feeds, PlanOfAPattern) {
  for (const char* name : {"c/s10.npy", "c/s2.npy", "c/s1.npy", "d/s2.npy"}) {
    File(name, FloatNpy({1}));
  }
  const Inputs inputs = {Input("x", "float", {"N"})};
  FeedOptions options;
  options.sets = {Path("c/*.npy"), Path("d/s?.npy")};
  const FeedPlan plan = PlanFeeds(inputs, options);
  EXPECT_THAT(NamesOf(plan), ElementsAre("s1", "s2", "s10", "s2_2"));
  EXPECT_EQ(plan[2].path, Path("c/s10.npy"));
  const FeedSet set = LoadFeeds(inputs, options, plan[2]);
  EXPECT_EQ(set.name, "s10");
  EXPECT_EQ(set.feeds.at(0).source, Path("c/s10.npy"));
  // One file can't be two inputs.
  EXPECT_THAT(
      Problem([&] {
        LoadFeeds({inputs[0], Input("y", "float", {"1"})}, options, plan[0]);
      }),
      HasSubstr("one file can't be the value of 2 inputs"));
}

TEST_F(Feeds, RandomDiffersBetweenSets) {
  File("c/1/x.npy", FloatNpy({1}));
  File("c/2/x.npy", FloatNpy({1}));
  const Inputs inputs = {Input("x", "float", {"1"}),
                         Input("y", "float", {"4"})};
  FeedOptions options;
  options.sets = {Path("c/*")};
  const FeedPlan plan = PlanFeeds(inputs, options);
  ASSERT_THAT(NamesOf(plan), ElementsAre("1", "2"));
  const auto numbers = [&](size_t i) {
    const FeedSet set = LoadFeeds(inputs, options, plan[i]);
    return Elements<float>(set.feeds.at(1).data.tensor);
  };
  EXPECT_NE(numbers(0), numbers(1));
  EXPECT_EQ(numbers(0), numbers(0));
}

TEST_F(Feeds, PlanOfAllTestData) {
  for (const char* name : {"m/test_data_set_10", "m/test_data_set_9"}) {
    File(std::string(name) + "/input_0.pb", FloatPb("", {1}));
  }
  File("m/model.onnx", "");
  FeedOptions options;
  options.sets = {Path("m")};
  const Inputs inputs = {Input("x", "float", {"N"})};
  EXPECT_THAT(NamesOf(PlanFeeds(inputs, options)),
              ElementsAre("test_data_set_9", "test_data_set_10"));
  options.sets = {Path("m/test_data_set_9/")};
  const FeedPlan one = PlanFeeds(inputs, options);
  EXPECT_THAT(NamesOf(one), ElementsAre(""));
}

TEST_F(Feeds, PlanOfNothing) {
  const Inputs inputs = {Input("x", "float", {"N"})};
  FeedOptions options;
  options.sets = {Path("*.npz")};
  EXPECT_EQ(
      PlanProblem(inputs, options),
      "input: " + Path("*.npz") + ": no file or folder fits this pattern");
  options.sets = {Path("none")};
  EXPECT_EQ(PlanProblem(inputs, options),
            "input: " + Path("none") + ": there is no such file or folder");
}

TEST_F(Feeds, AFileThatLooksLikeAPattern) {
  FeedOptions options;
  options.sets = {File("x[1].npy", FloatNpy({1}))};
  EXPECT_EQ(PlanFeeds({Input("x", "float", {"N"})}, options).at(0).path,
            options.sets[0]);
}

}  // namespace
}  // namespace onnx_expose::testing
