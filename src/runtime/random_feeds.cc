#include "runtime/random_feeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

#include "onnx_expose/element_types.h"
#include "runtime/random_numbers.h"
#include "support/text.h"
#include "tensor/element_bits.h"

namespace onnx_expose {
namespace {

constexpr int kString = 8;
constexpr int64_t kDefaultIntegers = 10;
constexpr int kSequenceLength = 2;

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

// Draws what a rule says.
class Source {
 public:
  Source(const InputInfo& input, const RandomRule& rule, uint64_t seed)
      : rule_(rule),
        component_(ComponentType(input.element_type)),
        is_float_(IsFloatType(component_)),
        numbers_(seed) {}

  uint64_t NextBits() {
    return is_float_ ? FloatBits(component_, NextReal())
                     : static_cast<uint64_t>(NextInteger());
  }

  std::string NextString() {
    if (rule_.kind == RandomRule::Kind::kConstant) return rule_.text;
    std::string word(1 + numbers_.Below(8), ' ');
    for (char& c : word) c = static_cast<char>('a' + numbers_.Below(26));
    return word;
  }

 private:
  double NextReal() {
    switch (rule_.kind) {
      case RandomRule::Kind::kUniform:
        return std::fma(rule_.b - rule_.a, numbers_.Unit(), rule_.a);
      case RandomRule::Kind::kNormal:
        return std::fma(rule_.b, numbers_.Normal(), rule_.a);
      case RandomRule::Kind::kIntegers:
        return static_cast<double>(NextInteger());
      default:
        return rule_.a;
    }
  }

  int64_t NextInteger() {
    if (rule_.kind == RandomRule::Kind::kConstant) return rule_.first;
    // Unsigned, for a range may be wider than int64.
    const auto first = static_cast<uint64_t>(rule_.first);
    const uint64_t count = static_cast<uint64_t>(rule_.last) - first;
    return static_cast<int64_t>(first + numbers_.Below(count));
  }

  const RandomRule& rule_;
  int component_;
  bool is_float_;
  RandomNumbers numbers_;
};

Tensor DrawTensor(const InputInfo& input, const std::vector<int64_t>& shape,
                  Source& source) {
  const uint64_t count = ElementCount(shape);
  if (input.element_type == kString) {
    Tensor tensor;
    tensor.type = kString;
    tensor.shape = shape;
    tensor.strings.resize(count);
    for (std::string& text : tensor.strings) text = source.NextString();
    return tensor;
  }
  std::vector<std::byte> bytes(DataBytes(input.element_type, count));
  const int width = ElementBits(ComponentType(input.element_type));
  const uint64_t parts = IsComplexType(input.element_type) ? 2 * count : count;
  for (uint64_t i = 0; i < parts; ++i) {
    PutElement(bytes, width, i, source.NextBits());
  }
  return MakeTensor(input.element_type, shape, std::move(bytes));
}

void CheckSize(const InputInfo& input, const std::vector<int64_t>& shape) {
  constexpr uint64_t kMostElements = uint64_t{1} << 48;
  uint64_t count = 1;
  for (const int64_t size : shape) {
    if (size == 0) return;
    if (__builtin_mul_overflow(count, static_cast<uint64_t>(size), &count) ||
        count > kMostElements) {
      throw Error(ExitCode::kInput, "",
                  {fmt::format("input {} would have {} elements",
                               Quoted(input.name), fmt::join(shape, " x ")),
                   "", ""});
    }
  }
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

uint64_t FeedSeed(uint64_t seed, std::string_view set, std::string_view input) {
  // FNV-1a over the names, each with its end.
  uint64_t hash = 0xCBF29CE484222325 ^ RandomNumbers(seed).Next();
  for (const std::string_view name : {set, input}) {
    for (const char c : name) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    }
    hash = (hash ^ 0x100) * 0x100000001B3;
  }
  return hash;
}

Data RandomData(const InputInfo& input, const std::vector<int64_t>& shape,
                const RandomRule& rule, uint64_t seed) {
  const bool is_sequence = input.kind == InputInfo::Kind::kSequence;
  if ((input.kind != InputInfo::Kind::kTensor && !is_sequence) ||
      !IsElementType(input.element_type)) {
    throw Error(ExitCode::kInput, "",
                {fmt::format("input {} is {}, which can't be made up at random",
                             Quoted(input.name), Printable(input.type)),
                 "",
                 fmt::format("--input '{}=FILE.pb' gives it a value",
                             Printable(input.name))});
  }
  CheckSize(input, shape);
  Source source(input, rule, seed);
  Data data;
  try {
    if (!is_sequence) {
      data.tensor = DrawTensor(input, shape, source);
      return data;
    }
    data.kind = Data::Kind::kSequence;
    data.element_type = input.element_type;
    for (int i = 0; i < kSequenceLength; ++i) {
      data.parts.emplace_back().tensor = DrawTensor(input, shape, source);
    }
  } catch (const std::bad_alloc&) {
    throw Error(
        ExitCode::kInput, "",
        {fmt::format(
             "there is not enough memory for input {}: {}", Quoted(input.name),
             ByteText(DataBytes(input.element_type, ElementCount(shape)))),
         "", ""});
  }
  return data;
}

}  // namespace onnx_expose
