#include "cli/invocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "onnx_expose/error.h"

namespace onnx_expose::cli {
namespace {

using testing::ElementsAre;

std::string Complaint(const std::vector<std::string>& arguments) {
  try {
    FindCommand(arguments);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    return error.message().what + "; " + error.message().hint;
  }
  return "";
}

TEST(FindCommand, ByItsName) {
  const Invocation found = FindCommand({"list", "m.onnx"});
  EXPECT_EQ(found.command->name, "list");
  EXPECT_TRUE(found.named);
  EXPECT_THAT(found.arguments, ElementsAre("m.onnx"));
}

TEST(FindCommand, ExposeWithoutAName) {
  const Invocation found = FindCommand({"m.onnx", "--all"});
  EXPECT_EQ(found.command->name, "expose");
  EXPECT_FALSE(found.named);
  EXPECT_THAT(found.arguments, ElementsAre("m.onnx", "--all"));
}

TEST(FindCommand, CommonFlagsMayComeFirst) {
  const Invocation found = FindCommand({"-q", "--verbose", "check", "m.onnx"});
  EXPECT_EQ(found.command->name, "check");
  EXPECT_THAT(found.arguments, ElementsAre("-q", "--verbose", "m.onnx"));
}

TEST(FindCommand, AnOptionsValueIsNoCommand) {
  EXPECT_EQ(FindCommand({"-o", "list", "m.onnx"}).command->name, "expose");
  EXPECT_EQ(FindCommand({"./list", "--all"}).command->name, "expose");
}

TEST(FindCommand, Typos) {
  EXPECT_EQ(Complaint({"lsit", "m.onnx"}),
            "'lsit' is neither a command nor a file; did you mean 'list'?");
  EXPECT_EQ(Complaint({"stripp"}),
            "'stripp' is neither a command nor a file; did you mean 'strip'?");
  EXPECT_EQ(Complaint({"m.onnx"}), "");
  EXPECT_EQ(Complaint({"lsit.onnx"}), "");
}

TEST(Commands, NamesAreUnique) {
  std::set<std::string> names;
  for (const Command& command : Commands()) {
    EXPECT_TRUE(names.insert(command.name).second) << command.name;
  }
}

}  // namespace
}  // namespace onnx_expose::cli
