#ifndef ONNX_EXPOSE_REPORT_VALUE_ELEMENTS_H_
#define ONNX_EXPOSE_REPORT_VALUE_ELEMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onnx_expose/report.h"
#include "report/reduced_tensor.h"
#include "report/view.h"

namespace onnx_expose {

// The elements of a value as they are shown.
struct ValueElements {
  View view = View::kNumbers;
  // Nothing where a side has no tensor of numbers; the difference only of two
  // tensors of one shape.
  std::optional<ReducedTensor> a;
  std::optional<ReducedTensor> b;
  std::optional<ReducedTensor> difference;
  // The first ones as text, strings among them.
  std::vector<std::string> first_a;
  std::vector<std::string> first_b;
};

// At most `budget` elements of each.
ValueElements ReduceElements(const ReportSubject& subject,
                             const ReportSubject::Value& value,
                             uint64_t budget);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_VALUE_ELEMENTS_H_
