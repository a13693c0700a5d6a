#include "cli/compare_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "cli/flag_values.h"
#include "cli/options.h"
#include "cli/usage.h"
#include "onnx_expose/error.h"
#include "support/text.h"

namespace onnx_expose::cli {
namespace {

constexpr const char* kTolForm =
    "REGEX:atol=1e-2[,rtol=...,of-peak=...,outside=...,min-cosine=...,"
    "max-ulp=...]";

uint64_t ParseUlp(std::string_view flag, std::string_view text) {
  const int64_t number = ParseNumber(flag, text);
  if (number < 0) {
    throw Usage(fmt::format("{}: {} is less than 0", flag, Quoted(text)));
  }
  return static_cast<uint64_t>(number);
}

// One limit by the name of its flag; false if there is none of that name.
bool SetLimit(std::string_view flag, std::string_view name,
              std::string_view text, ToleranceRule& rule) {
  const double infinity = HUGE_VAL;
  if (name == "atol") {
    rule.atol = ParseReal(flag, text, 0, infinity);
  } else if (name == "rtol") {
    rule.rtol = ParseReal(flag, text, 0, infinity);
  } else if (name == "of-peak") {
    rule.of_peak = ParseReal(flag, text, 0, infinity);
  } else if (name == "outside") {
    rule.outside = ParseReal(flag, text, 0, 1);
  } else if (name == "min-cosine") {
    rule.min_cosine = ParseReal(flag, text, -1, 1);
  } else if (name == "max-ulp") {
    rule.max_ulp = ParseUlp(flag, text);
  } else {
    return false;
  }
  return true;
}

ToleranceRule ParseRule(std::string_view flag, const std::string& text) {
  const size_t colon = text.rfind(':');
  const auto fail = [&] {
    return Usage(fmt::format("{}: {} is not of the form {}", flag, Quoted(text),
                             kTolForm));
  };
  if (colon == std::string::npos || colon == 0) throw fail();
  ToleranceRule rule;
  rule.pattern = text.substr(0, colon);
  std::string_view rest = std::string_view(text).substr(colon + 1);
  while (!rest.empty()) {
    const std::string_view limit = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), limit.size() + 1));
    const size_t equals = limit.find('=');
    if (equals == std::string_view::npos ||
        !SetLimit(flag, limit.substr(0, equals), limit.substr(equals + 1),
                  rule)) {
      throw fail();
    }
  }
  return rule;
}

std::pair<std::string, std::string> ParsePair(const std::string& file,
                                              const std::string& line) {
  const size_t tab = line.find('\t');
  if (tab == std::string::npos || tab == 0 || tab + 1 == line.size()) {
    throw Error(
        ExitCode::kInput, file,
        {fmt::format("{} is not of the form NAME_A<tab>NAME_B", Quoted(line)),
         "", ""});
  }
  return {line.substr(0, tab), line.substr(tab + 1)};
}

}  // namespace

CompareOptions CompareFlags::Read() const {
  CompareOptions options;
  ToleranceRule overall;
  const auto set = [&](const char* name,
                       const std::optional<std::string>& text) {
    if (text.has_value()) {
      SetLimit(fmt::format("--{}", name), name, *text, overall);
    }
  };
  set("atol", atol);
  set("rtol", rtol);
  set("of-peak", of_peak);
  set("outside", outside);
  set("min-cosine", min_cosine);
  set("max-ulp", max_ulp);
  options.tolerances.push_back(overall);
  if (!tolerance_file.empty()) {
    for (const std::string& line : ReadNames(tolerance_file)) {
      options.tolerances.push_back(ParseRule("--tol-file", line));
    }
  }
  for (const std::string& text : tolerances) {
    options.tolerances.push_back(ParseRule("--tol", text));
  }
  for (const std::string& text : map) {
    options.map.push_back(SplitAssignment("--map", text, "REGEX=REPLACEMENT"));
  }
  if (!map_file.empty()) {
    for (const std::string& line : ReadNames(map_file)) {
      options.pairs.push_back(ParsePair(map_file, line));
    }
  }
  if (relative_floor.has_value()) {
    options.relative_floor =
        ParseReal("--relative-floor", *relative_floor, 1e-300, HUGE_VAL);
  }
  options.quantized_names = quantized;
  options.require_all = require_all;
  options.same_types = same_types;
  return options;
}

void AddCompareOptions(CLI::App& app, CompareFlags& flags) {
  Options limits(app, "Tolerance");
  limits.Text("--atol", flags.atol, "X",
              "an element is close if |A - B| <= atol + rtol * |B|; defaults "
              "by element type, in docs/compare.md");
  limits.Text("--rtol", flags.rtol, "X", "see --atol");
  limits.Text("--of-peak", flags.of_peak, "X",
              "adds this times the greatest |B| to atol; 0 if --atol is given");
  limits.Text("--outside", flags.outside, "SHARE",
              "share of elements that may be out of tolerance (0)");
  limits.Text("--min-cosine", flags.min_cosine, "X",
              "least cosine of the two as vectors");
  limits.Text("--max-ulp", flags.max_ulp, "N",
              "most floating-point numbers from one to the other");
  limits.Texts("--tol", flags.tolerances, "REGEX:atol=X,...",
               "for values of A whose name fits: atol, rtol, of-peak, outside, "
               "min-cosine, max-ulp; '=NAME:...' for one");
  limits.Text("--tol-file", flags.tolerance_file, "FILE",
              "such rules, one a line");
  limits.Text("--relative-floor", flags.relative_floor, "X",
              "relative errors where |B| is less are relative to this (1e-6)");
  limits.Flag("--strict-types", flags.same_types,
              "float against float16 and the like is a difference");

  Options pairs(app, "Pairs");
  pairs.Texts("--map", flags.map, "REGEX=TEXT",
              "names of A become names of B: what REGEX finds becomes TEXT, "
              "\\1 is its first group");
  pairs.Text("--map-file", flags.map_file, "FILE",
             "pairs, one a line: name of A, tab, name of B");
  pairs.Flag("--quantized", flags.quantized,
             "pair values with those that ONNX Runtime's quantiser makes of "
             "them");
  pairs.Flag("--require-all", flags.require_all,
             "a value on one side only is a difference");
}

}  // namespace onnx_expose::cli
