#include "cli/flag_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "cli/usage.h"
#include "onnx_expose/error.h"
#include "support/file.h"
#include "support/text.h"

namespace onnx_expose::cli {
namespace {

std::string ReadFile(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  // A folder opens, but reading it fails; an empty file sets only failbit.
  if (!file.is_open() || text.bad() || errno != 0) {
    throw Error(ExitCode::kInput, path, {"can't read: " + ErrnoText(), "", ""});
  }
  return text.str();
}

}  // namespace

std::pair<std::string, std::string> SplitAssignment(std::string_view flag,
                                                    std::string_view text,
                                                    std::string_view form) {
  const size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw Usage(fmt::format("'{} {}' is not of the form {}", flag,
                            Printable(text), form));
  }
  return {std::string(text.substr(0, equals)),
          std::string(text.substr(equals + 1))};
}

int64_t ParseNumber(std::string_view flag, std::string_view text) {
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem == std::errc::result_out_of_range) {
    throw Usage(fmt::format("{}: {} is too large", flag, Quoted(text)));
  }
  if (problem != std::errc() || stop != end) {
    throw Usage(
        fmt::format("{}: {} is not a whole number", flag, Quoted(text)));
  }
  return number;
}

double ParseReal(std::string_view flag, std::string_view text, double least,
                 double most) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || stop != end || !std::isfinite(number)) {
    throw Usage(fmt::format("{}: {} is not a number", flag, Quoted(text)));
  }
  if (number < least || number > most) {
    throw Usage(
        std::isfinite(most)
            ? fmt::format("{}: {} is not between {} and {}", flag, Quoted(text),
                          least, most)
            : fmt::format("{}: {} is less than {}", flag, Quoted(text), least));
  }
  return number;
}

std::vector<int64_t> ParseNumbers(std::string_view flag,
                                  std::string_view text) {
  std::vector<int64_t> numbers;
  while (true) {
    const std::string_view item = text.substr(0, text.find(','));
    numbers.push_back(ParseNumber(flag, item));
    if (item.size() == text.size()) return numbers;
    text.remove_prefix(item.size() + 1);
  }
}

uint64_t ParseSize(std::string_view flag, std::string_view text) {
  constexpr std::string_view kUnits = "KMGT";
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  std::string_view unit = text.substr(static_cast<size_t>(stop - text.data()));
  double factor = 1;
  if (!unit.empty()) {
    const char letter = static_cast<char>(std::toupper(unit[0]));
    const size_t power = kUnits.find(letter);
    if (power != std::string_view::npos) {
      factor = static_cast<double>(uint64_t{1024} << (10 * power));
      unit.remove_prefix(1);
    }
    if (unit.starts_with('i') && factor > 1) unit.remove_prefix(1);
    if (unit.starts_with('B')) unit.remove_prefix(1);
  }
  constexpr double kMost = 1e18;
  const double bytes = number * factor;
  if (problem != std::errc() || !unit.empty() || !(bytes >= 1) ||
      bytes > kMost) {
    throw Usage(fmt::format("{}: {} is not a size", flag, Quoted(text)),
                "write 512M or 2G");
  }
  return static_cast<uint64_t>(bytes);
}

size_t ParseChoice(std::string_view flag, std::string_view text,
                   const std::vector<std::string>& choices) {
  const auto found = std::find(choices.begin(), choices.end(), text);
  if (found != choices.end()) {
    return static_cast<size_t>(found - choices.begin());
  }
  const std::string nearest = Nearest(text, choices);
  throw Usage(
      fmt::format("{} can't be {}, only {}", flag, Quoted(text),
                  Joined(choices, ", ")),
      nearest.empty() ? "" : fmt::format("did you mean '{}'?", nearest));
}

std::vector<std::string> ReadNames(const std::string& path) {
  const std::string text = ReadFile(path);
  std::string_view rest = text;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (rest.starts_with(kByteOrderMark)) {
    rest.remove_prefix(kByteOrderMark.size());
  }
  std::vector<std::string> names;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty() && line[0] != '#') names.emplace_back(line);
  }
  return names;
}

bool IsSwitchedOn(const std::string& variable) {
  const char* set = std::getenv(variable.c_str());
  std::string value = set == nullptr ? "" : set;
  std::transform(value.begin(), value.end(), value.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return value == "1" || value == "true" || value == "yes" || value == "on";
}

}  // namespace onnx_expose::cli
