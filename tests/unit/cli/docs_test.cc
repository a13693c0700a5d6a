// The help, the manual page and the completions know every option: they can't
// fall behind when a command gets a new one.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/invocation.h"

namespace onnx_expose::cli {
namespace {

std::string Read(const std::string& name) {
  const std::string path =
      std::string(ONNX_EXPOSE_TEST_DATA "/../../docs/") + name;
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

// "--output", "-o", ... of a command, without the hidden ones.
std::set<std::string> OptionsOf(const Command& command) {
  CLI::App app;
  CommonFlags flags;
  const Action action = command.define(app);
  AddCommonFlags(app, flags);
  std::set<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    for (const auto& name : option->get_lnames()) names.insert("--" + name);
    for (const auto& name : option->get_snames()) names.insert("-" + name);
  }
  return names;
}

// Long options that a text names.
std::set<std::string> OptionsIn(const std::string& text) {
  static const std::regex kOption("(?:^|[^$a-z])(--[a-z][a-z-]+)");
  return {std::sregex_token_iterator(text.begin(), text.end(), kOption, 1),
          std::sregex_token_iterator()};
}

void ExpectKnown(const std::string& text, const std::string& what) {
  std::set<std::string> all;
  const std::set<std::string> named = OptionsIn(text);
  for (const Command& command : Commands()) {
    EXPECT_NE(text.find(command.name), std::string::npos)
        << what << " lacks the command " << command.name;
    for (const std::string& option : OptionsOf(command)) {
      all.insert(option);
      if (option.starts_with("--")) {
        EXPECT_TRUE(named.contains(option)) << what << " lacks " << option;
      }
    }
  }
  for (const std::string& option : named) {
    EXPECT_TRUE(all.contains(option))
        << what << " has " << option << ", which no command has";
  }
}

TEST(Docs, HelpFitsATerminal) {
  std::string text = GeneralHelp();
  for (const Command& command : Commands()) text += CommandHelp(command);
  size_t start = 0;
  for (size_t end; (end = text.find('\n', start)) != std::string::npos;
       start = end + 1) {
    EXPECT_LE(end - start, 80U) << text.substr(start, end - start);
  }
}

TEST(Docs, HelpOfEachCommandHasItsOptions) {
  for (const Command& command : Commands()) {
    const std::set<std::string> named = OptionsIn(CommandHelp(command));
    for (const std::string& option : OptionsOf(command)) {
      if (!option.starts_with("--")) continue;
      EXPECT_TRUE(named.contains(option)) << command.name << " " << option;
    }
  }
}

TEST(Docs, ManualPage) {
  // roff writes a hyphen that is one as \-.
  const std::string text =
      std::regex_replace(Read("onnx-expose.1"), std::regex(R"(\\-)"), "-");
  ExpectKnown(text, "the manual page");
}

TEST(Docs, BashCompletion) { ExpectKnown(Read("completions/bash"), "bash"); }
TEST(Docs, ZshCompletion) { ExpectKnown(Read("completions/zsh"), "zsh"); }

TEST(Docs, FishCompletion) {
  // fish names long options without their dashes: -l output
  const std::string options = std::regex_replace(
      Read("completions/fish"), std::regex("set -l [a-z]+"), "");
  const std::string text =
      std::regex_replace(options, std::regex("-l ([a-z])"), "--$1");
  ExpectKnown(text, "fish");
}

}  // namespace
}  // namespace onnx_expose::cli
