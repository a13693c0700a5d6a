#ifndef ONNX_EXPOSE_RUNTIME_RANDOM_FEEDS_H_
#define ONNX_EXPOSE_RUNTIME_RANDOM_FEEDS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "onnx_expose/feeds.h"

namespace onnx_expose {

// How the elements of an input are drawn.
struct RandomRule {
  enum class Kind {
    kUniform,   // numbers a <= x < b
    kNormal,    // mean a, standard deviation b
    kIntegers,  // first <= x < last
    kConstant,  // `text`, as the input's type reads it
    kWords      // of 1 to 8 letters
  };
  Kind kind = Kind::kUniform;
  double a = 0;
  double b = 0;
  int64_t first = 0;
  int64_t last = 0;
  std::string text;  // constant(TEXT)
};

// "uniform(0,1)", "normal(0,1)", "integers(0,100)", "constant(1)", for one
// input. Throws Error(kUsage): not of that form, or the input's type can't hold
// what is asked for.
RandomRule ParseRandomRule(const InputInfo& input, const std::string& text);

// uniform(0,1) for floating-point and complex numbers; for integers
// integers(0,10), or below what the input indexes or its type holds; both
// bools; words for strings.
RandomRule DefaultRule(const InputInfo& input);

// "uniform(0,1)"; "words".
std::string RuleText(const RandomRule& rule);

// The seed of one input's numbers.
uint64_t FeedSeed(uint64_t seed, std::string_view set, std::string_view input);

// A tensor of this shape, or a sequence of two. The numbers are the same on
// every system: integer arithmetic, and floating-point operations that IEEE 754
// defines to the last bit. Throws Error(kInput): a kind of input that can't be
// made up, more elements than there is memory.
Data RandomData(const InputInfo& input, const std::vector<int64_t>& shape,
                const RandomRule& rule, uint64_t seed);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_RANDOM_FEEDS_H_
