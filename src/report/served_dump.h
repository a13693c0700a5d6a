#ifndef ONNX_EXPOSE_REPORT_SERVED_DUMP_H_
#define ONNX_EXPOSE_REPORT_SERVED_DUMP_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "onnx_expose/report.h"
#include "report/answer.h"
#include "report/running_dump.h"

namespace onnx_expose {

// The addresses of ReportServer and what is behind them; knows no network.
class ServedDump {
 public:
  // Throws Error(kInput): no dump.
  explicit ServedDump(std::vector<std::string> folders);

  // `path`: "/layer/3". `slice` as it came. `reference`: the second dump's
  // side.
  Answer Get(std::string_view path, const std::string& slice, bool reference);

 private:
  void Refresh();
  Answer Layer(const ReportSubject::Value& value) const;
  Answer Elements(const ReportSubject::Value& value, const std::string& slice,
                  bool reference) const;
  // What the manifests are, to see that a run is done or was done anew.
  std::string Mark() const;

  std::vector<std::string> folders_;
  RunningDump running_;
  std::string mark_;
  std::optional<ReportSubject> subject_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_SERVED_DUMP_H_
