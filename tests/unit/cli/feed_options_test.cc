#include "cli/feed_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/options.h"
#include "onnx_expose/error.h"
#include "tests/support/model_files.h"

namespace onnx_expose::cli {
namespace {

using onnx_expose::testing::TemporaryFolder;
using onnx_expose::testing::WriteFile;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

FeedOptions Read(const std::vector<std::string>& arguments) {
  CLI::App app("", "run");
  FeedFlags flags;
  AddFeedOptions(app, flags);
  Parse(app, arguments);
  return flags.Read();
}

std::string Complaint(const std::vector<std::string>& arguments) {
  try {
    Read(arguments);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    return error.message().what;
  }
  return "no error";
}

TEST(FeedFlags, NothingGiven) {
  const FeedOptions options = Read({});
  EXPECT_TRUE(options.files.empty());
  EXPECT_TRUE(options.sets.empty());
  EXPECT_EQ(options.seed, 0U);
}

TEST(FeedFlags, EveryFlag) {
  const FeedOptions options = Read(
      {"--input", "x=a.npy",  "--input",     "y=b.npz:m", "--inputs",
       "set",     "--inputs", "calib/*.npz", "--random",  "z=uniform(-1,1)",
       "--seed",  "7",        "--dim",       "N=2",       "--shape",
       "x=1,3",   "--shape",  "s=",          "--mean",    "0.485,0.456,0.406",
       "--scale", "0.5"});
  EXPECT_THAT(options.files,
              ElementsAre(Pair("x", "a.npy"), Pair("y", "b.npz:m")));
  EXPECT_THAT(options.sets, ElementsAre("set", "calib/*.npz"));
  EXPECT_THAT(options.random, ElementsAre(Pair("z", "uniform(-1,1)")));
  EXPECT_EQ(options.seed, 7U);
  EXPECT_THAT(options.dims, ElementsAre(Pair("N", 2)));
  EXPECT_THAT(options.shapes, ElementsAre(Pair("x", ElementsAre(1, 3)),
                                          Pair("s", ElementsAre())));
  EXPECT_THAT(options.mean, ElementsAre(0.485, 0.456, 0.406));
  EXPECT_THAT(options.scale, ElementsAre(0.5));
}

TEST(FeedFlags, NegativeNumbers) {
  EXPECT_THAT(Read({"--mean", "-0.5,1e-3"}).mean, ElementsAre(-0.5, 1e-3));
  EXPECT_THAT(Read({"--mean=-0.5"}).mean, ElementsAre(-0.5));
}

TEST(FeedFlags, SeedsAreAllOfUint64) {
  EXPECT_EQ(Read({"--seed", "18446744073709551615"}).seed, UINT64_MAX);
  EXPECT_THAT(Complaint({"--seed", "18446744073709551616"}),
              HasSubstr("--seed"));
  EXPECT_THAT(Complaint({"--seed", "-1"}), HasSubstr("--seed"));
  EXPECT_THAT(Complaint({"--seed", "x"}), HasSubstr("--seed"));
}

TEST(FeedFlags, NamesAndFilesWithEqualsSigns) {
  const TemporaryFolder folder;
  const std::string file = folder / "lr=0.1.npy";
  WriteFile(file, "");
  const auto split = [](const std::string& text) {
    return Read({"--input", text}).files.at(0);
  };
  EXPECT_THAT(split("x=" + file), Pair("x", file));
  EXPECT_THAT(split("a=b=" + file), Pair("a=b", file));
  EXPECT_THAT(split("a=b=" + file + "/none"), Pair("a", "b=" + file + "/none"));
  const std::string npz = folder / "a=b.npz";
  WriteFile(npz, "");
  EXPECT_THAT(split("c=d=" + npz + ":e=f"), Pair("c=d", npz + ":e=f"));
  EXPECT_THAT(split("x=none.npy"), Pair("x", "none.npy"));
}

TEST(FeedFlags, WhatIsNoValue) {
  EXPECT_EQ(Complaint({"--input", "x.npy"}),
            "'--input x.npy' is not of the form NAME=FILE");
  EXPECT_EQ(Complaint({"--input", "=x.npy"}),
            "'--input =x.npy' is not of the form NAME=FILE");
  EXPECT_EQ(Complaint({"--input", "x="}),
            "'--input x=' is not of the form NAME=FILE");
  EXPECT_THAT(Complaint({"--random", "uniform"}), HasSubstr("not of the form"));
  EXPECT_THAT(Complaint({"--dim", "N=two"}), HasSubstr("not a whole number"));
  EXPECT_THAT(Complaint({"--shape", "x=1,,2"}),
              HasSubstr("not a whole number"));
  EXPECT_EQ(Complaint({"--mean", "0.5,x"}), "--mean: 'x' is not a number");
  EXPECT_EQ(Complaint({"--scale", "inf"}), "--scale: 'inf' is not a number");
}

}  // namespace
}  // namespace onnx_expose::cli
