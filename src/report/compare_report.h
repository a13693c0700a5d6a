#ifndef ONNX_EXPOSE_REPORT_COMPARE_REPORT_H_
#define ONNX_EXPOSE_REPORT_COMPARE_REPORT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "onnx_expose/compare.h"

namespace onnx_expose {

// What the rows of the table are in order of.
enum class CompareOrder {
  kWorst,  // verdict, then signal to noise
  kRun,
  kName,
  kMaxAbs,
  kMaxRel,
  kCosine,
  kIntroduced
};

// The compared values for people; at most `most` rows (0: all), a last line
// says how many more there are.
std::string CompareTable(const CompareResult& result, CompareOrder order,
                         size_t most);

// "first divergence: Conv '/conv1', value 'y': 3 of 64 out of tolerance, ...",
// one for each.
std::vector<std::string> DivergenceLines(const CompareResult& result);

// "12 values: 3 identical, 9 different; 2 on one side only"
std::string CompareSummary(const CompareResult& result);

// One object: schema, verdict, a, b, first_divergence, values, warnings.
// Numbers that aren't finite or don't exist are null.
std::string CompareJson(const CompareResult& result, const std::string& path_a,
                        const std::string& path_b);

// A header and a line for each value, quoted as in RFC 4180.
std::string CompareCsv(const CompareResult& result);

// A test case for each value, as CI systems read it; what differs failed, and
// so did what is on one side only if `require_all`; else it was skipped.
std::string CompareJunit(const CompareResult& result, const std::string& path_a,
                         const std::string& path_b, bool require_all);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_COMPARE_REPORT_H_
