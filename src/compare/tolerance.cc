#include "compare/tolerance.h"

#include <fmt/format.h>

#include "support/text.h"
#include "tensor/element_bits.h"

namespace onnx_expose {
namespace {

struct Default {
  int type;  // TensorProto.DataType
  Tolerance tolerance;
};

// Between rounding errors that sums in another order bring about and the errors
// of the next coarser type; docs/compare.md has the reasons.
constexpr double kOne = 1;
const Default kDefaults[] = {
    {11, {1e-15, 1e-9, 1e-11, 0, {}, {}}},      // double
    {15, {1e-15, 1e-9, 1e-11, 0, {}, {}}},      // complex128
    {1, {1e-8, 1e-4, 1e-5, 0, {}, {}}},         // float
    {14, {1e-8, 1e-4, 1e-5, 0, {}, {}}},        // complex64
    {10, {1e-6, 1e-2, 2e-3, 0, {}, {}}},        // float16
    {16, {1e-8, 5e-2, 1e-2, 0, {}, {}}},        // bfloat16
    {17, {0, kOne / 8, kOne / 16, 0, {}, {}}},  // e4m3fn
    {18, {0, kOne / 8, kOne / 16, 0, {}, {}}},  // e4m3fnuz
    {19, {0, kOne / 4, kOne / 8, 0, {}, {}}},   // e5m2
    {20, {0, kOne / 4, kOne / 8, 0, {}, {}}},   // e5m2fnuz
    {23, {0, kOne / 2, kOne / 4, 0, {}, {}}},   // e2m1
    {24, {0, kOne, 0, 0, {}, {}}},              // e8m0
    {27, {0, kOne / 8, kOne / 16, 0, {}, {}}},  // e2m3
    {28, {0, kOne / 4, kOne / 8, 0, {}, {}}},   // e3m2
};

void Apply(const ToleranceRule& rule, Tolerance& tolerance) {
  if (rule.atol) {
    tolerance.atol = *rule.atol;
    tolerance.of_peak = 0;
  }
  if (rule.rtol) tolerance.rtol = *rule.rtol;
  if (rule.of_peak) tolerance.of_peak = *rule.of_peak;
  if (rule.outside) tolerance.outside = *rule.outside;
  if (rule.min_cosine) tolerance.min_cosine = rule.min_cosine;
  if (rule.max_ulp) tolerance.max_ulp = rule.max_ulp;
}

}  // namespace

Tolerance DefaultTolerance(int element_type) {
  for (const Default& each : kDefaults) {
    if (each.type == element_type) return each.tolerance;
  }
  return {};
}

std::unique_ptr<re2::RE2> Expression(const std::string& flag,
                                     const std::string& pattern) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_dot_nl(true);
  if (!IsUtf8(pattern)) options.set_encoding(re2::RE2::Options::EncodingLatin1);
  auto expression = std::make_unique<re2::RE2>(pattern, options);
  if (!expression->ok()) {
    throw Error(ExitCode::kUsage, "",
                {fmt::format("{}: {} is no regular expression: {}", flag,
                             Quoted(pattern), expression->error()),
                 "", "'=NAME' is an exact name"});
  }
  return expression;
}

Tolerances::Tolerances(const std::vector<ToleranceRule>& rules) {
  for (const ToleranceRule& rule : rules) {
    const bool exact = rule.pattern.starts_with('=') || rule.pattern.empty();
    rules_.emplace_back(rule,
                        exact ? nullptr : Expression("--tol", rule.pattern));
  }
}

Tolerance Tolerances::For(const std::string& name, int type_a,
                          int type_b) const {
  Tolerance tolerance = DefaultTolerance(type_a);
  const Tolerance other = DefaultTolerance(type_b);
  if (other.rtol > tolerance.rtol) tolerance = other;
  for (const auto& [rule, expression] : rules_) {
    const bool fits =
        expression != nullptr
            ? re2::RE2::PartialMatch(name, *expression)
            : rule.pattern.empty() ||
                  name == std::string_view(rule.pattern).substr(1);
    if (fits) Apply(rule, tolerance);
  }
  return tolerance;
}

}  // namespace onnx_expose
