#include "onnx_expose/pipeline.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "onnx_expose/check.h"
#include "onnx_expose/graph_index.h"
#include "onnx_expose/loader.h"
#include "onnx_expose/value_types.h"

namespace onnx_expose {
namespace {

// --strict: what the checker refuses is not written.
void RefuseInvalid(const Skeleton& model) {
  std::string first;
  size_t errors = 0;
  for (const Finding& finding : CheckModel(model)) {
    if (!IsRefused(finding)) continue;
    if (errors++ == 0) first = finding.place + ": " + finding.what;
  }
  if (errors == 0) return;
  throw Error(ExitCode::kRefused, model.source->path(),
              {fmt::format("--strict: the result is not valid: {}", first),
               errors > 1 ? fmt::format("and {} more", errors - 1) : "",
               "see all with 'onnx-expose check'"});
}

}  // namespace

ExposeResult ExposeModel(const ExposeRequest& request) {
  Skeleton model = LoadModel(request.model);
  if (request.copy_only) {
    if (!request.dry_run) CopyModel(model, request.output, request.write);
    return {};
  }
  if (!request.dry_run) CheckTarget(model, request.output, request.write);
  FixDims(model, request.dims, request.expose.provenance);
  const GraphIndex index(model.proto);
  const ValueTypes types = InferTypes(index, request.infer);
  const Selection selection = SelectValues(index, types, request.select);
  ExposeOptions expose = request.expose;
  expose.infer = request.infer;
  ExposeResult result = {ExposeOutputs(model, index, types, selection, expose),
                         {}};
  if (request.strict) RefuseInvalid(model);
  if (request.dry_run) return result;
  result.written = WriteModel(model, request.output, request.write);
  if (!request.depfile.empty()) {
    WriteDepfile(model, request.output, request.depfile);
  }
  return result;
}

StripResult StripModel(const StripRequest& request) {
  Skeleton model = LoadModel(request.model);
  CheckTarget(model, request.output, request.write);
  StripResult result = {StripOutputs(model, request.allow_empty), {}};
  result.written = WriteModel(model, request.output, request.write);
  return result;
}

}  // namespace onnx_expose
