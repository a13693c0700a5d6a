#include "onnx_expose/check.h"

#include "check/rules.h"

namespace onnx_expose {

std::vector<Finding> CheckModel(const Skeleton& model) {
  const GraphIndex index(model.proto);
  Subject subject(model, index);
  CheckModelFields(subject);
  CheckGraphs(subject);
  CheckTypes(subject);
  CheckTensors(subject);
  CheckOrder(subject);
  CheckFunctions(subject);
  CheckNodes(subject);
  CheckInference(subject);
  return subject.findings.Take();
}

bool IsRefused(const Finding& finding) {
  return finding.level == Finding::Level::kError || finding.checker_refuses;
}

}  // namespace onnx_expose
