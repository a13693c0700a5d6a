#include "cli/feed_options.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/flag_values.h"
#include "cli/options.h"
#include "onnx_expose/error.h"
#include "support/text.h"

namespace onnx_expose::cli {
namespace {

namespace fs = std::filesystem;

// Whether FILE of FILE or FILE.npz:MEMBER is there.
bool IsFile(const std::string& text) {
  constexpr std::string_view kMember = ".npz:";
  std::error_code ignored;
  if (fs::exists(text, ignored)) return true;
  const size_t colon = text.find(kMember);
  return colon != std::string::npos &&
         fs::exists(text.substr(0, colon + kMember.size() - 1), ignored);
}

std::pair<std::string, std::string> SplitFile(const std::string& text) {
  const size_t first = text.find('=', 1);
  size_t split = first;
  for (size_t at = first; at != std::string::npos;
       at = text.find('=', at + 1)) {
    if (!IsFile(text.substr(at + 1))) continue;
    split = at;
    break;
  }
  if (split == std::string::npos || split + 1 == text.size()) {
    throw Error(ExitCode::kUsage, "",
                {fmt::format("'--input {}' is not of the form NAME=FILE",
                             Printable(text)),
                 "",
                 "--inputs takes a folder, an .npz or a pattern without a "
                 "name"});
  }
  return {text.substr(0, split), text.substr(split + 1)};
}

uint64_t ParseSeed(const std::string& text) {
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || stop != end) {
    throw Error(ExitCode::kUsage, "",
                {fmt::format("--seed: {} is not a whole number from 0 to {}",
                             Quoted(text), UINT64_MAX),
                 "", ""});
  }
  return number;
}

std::vector<double> ParseReals(std::string_view flag,
                               const std::vector<std::string>& texts) {
  std::vector<double> numbers;
  for (const std::string& text : texts) {
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, number);
    if (problem != std::errc() || stop != end || !std::isfinite(number)) {
      throw Error(
          ExitCode::kUsage, "",
          {fmt::format("{}: {} is not a number", flag, Quoted(text)), "", ""});
    }
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

FeedOptions FeedFlags::Read() const {
  FeedOptions options;
  for (const std::string& text : files) {
    options.files.push_back(SplitFile(text));
  }
  options.sets = sets;
  for (const std::string& text : random) {
    options.random.push_back(
        SplitAssignment("--random", text, "x=uniform(0,1)"));
  }
  options.seed = ParseSeed(seed);
  for (const std::string& text : dims) {
    const auto [name, size] = SplitAssignment("--dim", text, "N=2");
    options.dims.emplace_back(name, ParseNumber("--dim", size));
  }
  for (const std::string& text : shapes) {
    const auto [name, shape] =
        SplitAssignment("--shape", text, "x=1,3,224,224");
    // "x=" is a scalar.
    options.shapes.emplace_back(name, shape.empty()
                                          ? std::vector<int64_t>()
                                          : ParseNumbers("--shape", shape));
  }
  options.mean = ParseReals("--mean", mean);
  options.scale = ParseReals("--scale", scale);
  return options;
}

void AddFeedOptions(CLI::App& app, FeedFlags& flags) {
  Options inputs(app, "Inputs");
  inputs.Texts("--input", flags.files, "NAME=FILE",
               "an input's value: .npy, .npz (x=FILE.npz:MEMBER), .pb, .png, "
               ".jpg; any other file as raw bytes");
  inputs.Texts("--inputs", flags.sets, "PATH",
               "values for all inputs: a test_data_set_N folder, a folder or "
               ".npz keyed by name; one run each for several and for a pattern "
               "('calib/*.npz')");
  inputs.Texts("--random", flags.random, "NAME=RULE",
               "how to make up an input that is not given: uniform(0,1), "
               "normal(0,1), integers(0,100), constant(1)");
  inputs.Text("--seed", flags.seed, "NUMBER", "of random inputs (0)");
  inputs.Texts("--dim", flags.dims, "N=2", "give a symbolic input dim a size");
  inputs.Texts("--shape", flags.shapes, "x=1,3,224,224",
               "give an input a shape");
  inputs.List("--mean", flags.mean, "M[,M,M]",
              "pictures: (pixel / 255 - mean) / scale, per channel or one for "
              "all (0)");
  inputs.List("--scale", flags.scale, "S[,S,S]", "see --mean (1)");
}

}  // namespace onnx_expose::cli
