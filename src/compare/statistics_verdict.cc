#include "compare/statistics_verdict.h"

#include <fmt/format.h>

#include <cmath>

#include "tensor/data_text.h"
#include "tensor/element_bits.h"

namespace onnx_expose {
namespace {

// What one number of each side says; empty: the same or close enough.
std::string Off(const char* what, double a, double b, double peak,
                const Tolerance& tolerance, bool& identical) {
  identical = identical && a == b;
  const double limit =
      tolerance.atol + tolerance.of_peak * peak + tolerance.rtol * std::abs(b);
  if (std::abs(a - b) <= limit) return "";
  return fmt::format("{} {:.6g} against {:.6g}", what, a, b);
}

std::string CountsOff(const Statistics& a, const Statistics& b) {
  if (a.nan != b.nan) return fmt::format("{} NaN against {}", a.nan, b.nan);
  if (a.pos_inf != b.pos_inf) {
    return fmt::format("{} +Inf against {}", a.pos_inf, b.pos_inf);
  }
  if (a.neg_inf != b.neg_inf) {
    return fmt::format("{} -Inf against {}", a.neg_inf, b.neg_inf);
  }
  return "";
}

double NormPerElement(const Statistics& stats) {
  return stats.finite == 0
             ? 0
             : stats.l2 / std::sqrt(static_cast<double>(stats.finite));
}

// "[2,3]" of "float[2,3]"; of other kinds all of it.
std::string Dims(const std::string& type) {
  const size_t bracket = type.find('[');
  return bracket == std::string::npos ? type : type.substr(bracket);
}

}  // namespace

Statistics StatisticsIn(const ValueSource& source, size_t entry,
                        std::string& type) {
  if (const Statistics* stored = source.StatisticsOf(entry)) return *stored;
  const Data data = source.Read(entry);
  type = DataText(data, type);
  return ComputeStatistics(data);
}

void JudgeStatistics(const Statistics& a, const Statistics& b,
                     const Tolerances& tolerances, ComparedValue& value) {
  value.metrics.count = a.count;
  value.tolerance = tolerances.For(value.name_a, ElementAt(value.type_a, 0),
                                   ElementAt(value.type_b, 0));
  const int element_a = ElementAt(value.type_a, 0);
  const int element_b = ElementAt(value.type_b, 0);
  const bool types = element_a == element_b ||
                     (IsFloatType(element_a) && IsFloatType(element_b));
  if (!types || Dims(value.type_a) != Dims(value.type_b) ||
      a.count != b.count) {
    value.verdict = types ? Verdict::kShape : Verdict::kType;
    value.reason = value.type_a + " against " + value.type_b;
    return;
  }
  bool identical = true;
  value.reason = CountsOff(a, b);
  if (value.reason.empty() && a.finite > 0) {
    const double peak = GreatestMagnitude(b);
    const auto off = [&](const char* what, double x, double y) {
      std::string text = Off(what, x, y, peak, value.tolerance, identical);
      if (value.reason.empty()) value.reason = std::move(text);
    };
    off("minimum", a.min, b.min);
    off("maximum", a.max, b.max);
    off("mean", a.mean, b.mean);
    off("standard deviation", a.std, b.std);
    off("norm per element", NormPerElement(a), NormPerElement(b));
  }
  value.verdict = !value.reason.empty() ? Verdict::kDifferent
                  : identical           ? Verdict::kIdentical
                                        : Verdict::kClose;
}

}  // namespace onnx_expose
