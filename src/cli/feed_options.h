#ifndef ONNX_EXPOSE_CLI_FEED_OPTIONS_H_
#define ONNX_EXPOSE_CLI_FEED_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "onnx_expose/feeds.h"

namespace onnx_expose::cli {

// What a model is fed with, on the command line.
struct FeedFlags {
  std::vector<std::string> files;
  std::vector<std::string> sets;
  std::vector<std::string> random;
  std::string seed = "0";
  std::vector<std::string> dims;
  std::vector<std::string> shapes;
  std::vector<std::string> mean;
  std::vector<std::string> scale;

  // Throws Error(kUsage): a value that isn't of its flag's form. Of NAME=FILE
  // both may hold '=': it is split at the first one that a file's name follows,
  // or the first of all if there is no such file.
  FeedOptions Read() const;
};

// The flags that every command with inputs has.
void AddFeedOptions(CLI::App& app, FeedFlags& flags);

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_FEED_OPTIONS_H_
