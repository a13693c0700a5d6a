#include "runtime/random_feeds.h"

#include <fmt/format.h>

#include <cmath>
#include <new>
#include <utility>

#include "onnx_expose/element_types.h"
#include "runtime/random_numbers.h"
#include "support/text.h"
#include "tensor/element_bits.h"
#include "tensor/element_writer.h"

namespace onnx_expose {
namespace {

constexpr int kSequenceLength = 2;

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
  const uint64_t parts = IsComplexType(input.element_type) ? 2 * count : count;
  ElementWriter writer(input.element_type, parts);
  for (uint64_t i = 0; i < parts; ++i) writer.Put(i, source.NextBits());
  return MakeTensor(input.element_type, shape, writer.Take());
}

void CheckSize(const InputInfo& input, const std::vector<int64_t>& shape) {
  constexpr uint64_t kMostElements = uint64_t{1} << 48;
  if (ElementCount(shape) <= kMostElements) return;
  throw Error(ExitCode::kInput, "",
              {fmt::format("input {} would have {} elements",
                           Quoted(input.name), Joined(shape, " x ")),
               "", ""});
}

}  // namespace

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
