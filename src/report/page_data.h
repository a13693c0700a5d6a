#ifndef ONNX_EXPOSE_REPORT_PAGE_DATA_H_
#define ONNX_EXPOSE_REPORT_PAGE_DATA_H_

#include <cstddef>
#include <cstdint>

#include "onnx_expose/report.h"
#include "support/json.h"

namespace onnx_expose {

// What the page is about but for the elements: `schema`, `complete`,
// `dumps`,
// `first_divergence` (places in `values`), `values`.
Json OverviewJson(const ReportSubject& subject);

// What `values` has of one.
Json ValueJson(const ReportSubject::Value& value);

// The elements of a value: `a`, `b` and `diff`, each null or a reduced tensor
// of at most `budget` elements, and the first elements as text.
Json ElementsJson(const ReportSubject& subject,
                  const ReportSubject::Value& value, uint64_t budget);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_PAGE_DATA_H_
