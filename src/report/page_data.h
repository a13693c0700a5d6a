#ifndef ONNX_EXPOSE_REPORT_PAGE_DATA_H_
#define ONNX_EXPOSE_REPORT_PAGE_DATA_H_

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "onnx_expose/report.h"

namespace onnx_expose {

// What the page is about but for the elements: `schema`, `complete`,
// `dumps`,
// `first_divergence` (places in `values`), `values`.
nlohmann::ordered_json OverviewJson(const ReportSubject& subject);

// What `values` has of one.
nlohmann::ordered_json ValueJson(const ReportSubject::Value& value);

// The elements of a value: `a`, `b` and `diff`, each null or a reduced tensor
// of at most `budget` elements, and the first elements as text.
nlohmann::ordered_json ElementsJson(const ReportSubject& subject,
                                    const ReportSubject::Value& value,
                                    uint64_t budget);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_PAGE_DATA_H_
