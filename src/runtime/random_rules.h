#ifndef ONNX_EXPOSE_RUNTIME_RANDOM_RULES_H_
#define ONNX_EXPOSE_RUNTIME_RANDOM_RULES_H_

#include <cstdint>
#include <string>

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

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_RANDOM_RULES_H_
