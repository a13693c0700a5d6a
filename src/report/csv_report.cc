#include "onnx_expose/report.h"
#include "report/compare_report.h"
#include "tensor/manifest.h"

namespace onnx_expose {

std::string CsvReport(const ReportSubject& subject) {
  return subject.comparison() ? CompareCsv(*subject.comparison())
                              : StatisticsCsv(subject.manifests().front());
}

}  // namespace onnx_expose
