#ifndef ONNX_EXPOSE_COMPARE_STATISTICS_VERDICT_H_
#define ONNX_EXPOSE_COMPARE_STATISTICS_VERDICT_H_

#include <string>

#include "compare/tolerance.h"
#include "onnx_expose/compare.h"

namespace onnx_expose {

// Those that are stored, or else computed; `type` is filled in if it is empty.
Statistics StatisticsIn(const ValueSource& source, size_t entry,
                        std::string& type);

// Verdict, reason and tolerance of `value` by statistics alone: numbers of
// elements, NaN and infinities exactly; minimum, maximum, mean, standard
// deviation and norm (per element) within the tolerance of an element.
void JudgeStatistics(const Statistics& a, const Statistics& b,
                     const Tolerances& tolerances, ComparedValue& value);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_STATISTICS_VERDICT_H_
