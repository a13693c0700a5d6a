#include "runtime/random_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "onnx_expose/element_types.h"
#include "support/text.h"
#include "tensor/element_bits.h"

namespace onnx_expose {
namespace {

constexpr int64_t kDefaultIntegers = 10;

// Of the option --random of one input.
[[noreturn]] void Refuse(const InputInfo& input, const std::string& what,
                         const std::string& hint = "") {
  throw Error(
      ExitCode::kUsage, "",
      {fmt::format("--random {}: {}", Printable(input.name), what), "", hint});
}

template <typename Number>
std::optional<Number> Parse(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || stop != end) return std::nullopt;
  return number;
}

template <typename Number>
std::optional<std::pair<Number, Number>> ParsePair(std::string_view text) {
  const size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(comma + 1);
  const auto first = Parse<Number>(text.substr(0, comma));
  const auto second = Parse<Number>(
      rest.substr(std::min(rest.find_first_not_of(' '), rest.size())));
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

bool HoldsReals(const InputInfo& input) {
  return IsFloatType(ComponentType(input.element_type));
}

RandomRule ParseReals(const InputInfo& input, const std::string& text,
                      RandomRule::Kind kind, std::string_view arguments) {
  RandomRule rule;
  rule.kind = kind;
  const auto numbers = ParsePair<double>(arguments);
  if (!numbers)
    Refuse(input, fmt::format("{} has no two numbers", Quoted(text)));
  std::tie(rule.a, rule.b) = *numbers;
  if (!std::isfinite(rule.a) || !std::isfinite(rule.b) ||
      (kind == RandomRule::Kind::kUniform ? rule.b < rule.a : rule.b < 0)) {
    Refuse(input, fmt::format("{} describes no distribution", Quoted(text)));
  }
  if (!HoldsReals(input)) {
    Refuse(
        input,
        fmt::format("{} needs an input of floating-point numbers, this is {}",
                    text.substr(0, text.find('(')), Printable(input.type)),
        RangeOf(input.element_type) ? "integers(0,10) draws whole numbers"
                                    : "");
  }
  return rule;
}

RandomRule ParseIntegers(const InputInfo& input, const std::string& text,
                         std::string_view arguments) {
  RandomRule rule;
  rule.kind = RandomRule::Kind::kIntegers;
  const auto numbers = ParsePair<int64_t>(arguments);
  if (!numbers) {
    Refuse(input, fmt::format("{} has no two whole numbers", Quoted(text)));
  }
  std::tie(rule.first, rule.last) = *numbers;
  if (rule.last <= rule.first) {
    Refuse(input, fmt::format("there is no integer in {}", Quoted(text)),
           "the second number is not among them");
  }
  const auto range = RangeOf(input.element_type);
  if (!range && !HoldsReals(input)) {
    Refuse(input, fmt::format("integers need an input of numbers, this is {}",
                              Printable(input.type)));
  }
  if (range && (rule.first < range->min || rule.last - 1 > range->max)) {
    Refuse(input, fmt::format("{} holds {} to {}, not all of {}",
                              ElementName(input.element_type), range->min,
                              range->max, Quoted(text)));
  }
  return rule;
}

RandomRule ParseConstant(const InputInfo& input, std::string_view argument) {
  RandomRule rule;
  rule.kind = RandomRule::Kind::kConstant;
  rule.text = argument;
  const auto range = RangeOf(input.element_type);
  if (range) {
    const auto number = Parse<int64_t>(argument);
    if (!number || *number < range->min || *number > range->max) {
      Refuse(input, fmt::format("{} is no {} ({} to {})", Quoted(argument),
                                ElementName(input.element_type), range->min,
                                range->max));
    }
    rule.first = *number;
  } else if (HoldsReals(input)) {
    const auto number = Parse<double>(argument);
    if (!number) {
      Refuse(input, fmt::format("{} is not a number", Quoted(argument)));
    }
    rule.a = *number;
  }
  return rule;
}

}  // namespace

RandomRule ParseRandomRule(const InputInfo& input, const std::string& text) {
  const size_t open = text.find('(');
  const std::string name = text.substr(0, open);
  const std::vector<std::string> names = {"uniform", "normal", "integers",
                                          "constant"};
  const bool is_call = open != std::string::npos && text.ends_with(')');
  if (!is_call || std::find(names.begin(), names.end(), name) == names.end()) {
    const std::string near = Nearest(name, names);
    Refuse(input,
           fmt::format("{} is none of uniform(0,1), normal(0,1), "
                       "integers(0,100), constant(1)",
                       Quoted(text)),
           near.empty() || near == name
               ? ""
               : fmt::format("did you mean {}?", Quoted(near)));
  }
  const std::string_view arguments =
      std::string_view(text).substr(open + 1, text.size() - open - 2);
  if (name == "integers") return ParseIntegers(input, text, arguments);
  if (name == "constant") return ParseConstant(input, arguments);
  return ParseReals(
      input, text,
      name == "normal" ? RandomRule::Kind::kNormal : RandomRule::Kind::kUniform,
      arguments);
}

RandomRule DefaultRule(const InputInfo& input) {
  RandomRule rule;
  if (const auto range = RangeOf(input.element_type)) {
    rule.kind = RandomRule::Kind::kIntegers;
    rule.last = input.index_bound > 0 ? input.index_bound : kDefaultIntegers;
    if (rule.last - 1 > range->max) rule.last = range->max + 1;
  } else if (HoldsReals(input)) {
    rule.kind = RandomRule::Kind::kUniform;
    rule.b = 1;
  } else {
    rule.kind = RandomRule::Kind::kWords;
  }
  return rule;
}

std::string RuleText(const RandomRule& rule) {
  switch (rule.kind) {
    case RandomRule::Kind::kUniform:
      return fmt::format("uniform({},{})", rule.a, rule.b);
    case RandomRule::Kind::kNormal:
      return fmt::format("normal({},{})", rule.a, rule.b);
    case RandomRule::Kind::kIntegers:
      return fmt::format("integers({},{})", rule.first, rule.last);
    case RandomRule::Kind::kConstant:
      return fmt::format("constant({})", rule.text);
    case RandomRule::Kind::kWords:
      break;
  }
  return "words";
}

}  // namespace onnx_expose
