#include "onnx_expose/pipeline.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "onnx_expose/check.h"
#include "onnx_expose/graph_index.h"
#include "onnx_expose/loader.h"
#include "onnx_expose/value_types.h"
#include "pipeline/probe.h"
#include "support/file.h"

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

// Whether two files that needn't be there have one place.
bool SamePlace(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  return fs::path(a).filename() == fs::path(b).filename() &&
         SameFolder(FolderOf(a), FolderOf(b));
}

// A depfile replaces what is there, but not the model or the result.
void CheckDepfile(const Skeleton& model, const ExposeRequest& request) {
  WriteOptions options;
  options.force = options.copy_data = true;
  CheckTarget(model, request.depfile, options);
  if (SamePlace(request.depfile, request.output) ||
      (request.write.weights == Weights::kExternal &&
       SamePlace(request.depfile, DataFileOf(request.output)))) {
    throw Error(ExitCode::kOutput, request.depfile,
                {"the depfile can't be the output as well", "", ""});
  }
}

// What to measure the sizes of --dim and --shape by, if there are any.
std::optional<ValueTypes> TypesBeforeDims(const Skeleton& model,
                                          const ExposeRequest& request) {
  const bool fixed = !request.dims.dims.empty() || !request.dims.shapes.empty();
  if (!fixed || !request.infer.infer) return std::nullopt;
  return InferTypes(GraphIndex(model.proto), {});
}

}  // namespace

ExposeResult ExposeModel(const ExposeRequest& request) {
  const auto stage = [&](std::string_view name) {
    if (request.on_stage) request.on_stage(name);
  };
  stage("load");
  Skeleton model = LoadModel(request.model);
  const bool write = !request.dry_run;
  const bool depfile = write && !request.depfile.empty();
  if (write && !request.copy_only) {
    CheckTarget(model, request.output, request.write);
  }
  if (depfile) CheckDepfile(model, request);
  ExposeResult result;
  if (request.copy_only) {
    stage("write");
    if (write) CopyModel(model, request.output, request.write);
  } else {
    stage("infer");
    const std::optional<ValueTypes> before = TypesBeforeDims(model, request);
    FixDims(model, request.dims, request.expose.provenance);
    const GraphIndex index(model.proto);
    ExposeOptions options = request.expose;
    options.infer = request.infer;
    const ValueTypes types =
        InferOrProbeTypes(model, index, request.probe, options.infer);
    if (before) RefuseContradiction(model, index, *before, types);
    stage("select");
    const Selection selection = SelectValues(index, types, request.select);
    stage("expose");
    result = {ExposeOutputs(model, index, types, selection, options), {}};
    if (request.strict) {
      stage("check");
      RefuseInvalid(model);
    }
    stage("write");
    if (write) {
      result.written = WriteModel(model, request.output, request.write);
    }
  }
  if (depfile) WriteDepfile(model, request.output, request.depfile);
  return result;
}

StripResult StripModel(const StripRequest& request) {
  const auto stage = [&](std::string_view name) {
    if (request.on_stage) request.on_stage(name);
  };
  stage("load");
  Skeleton model = LoadModel(request.model);
  CheckTarget(model, request.output, request.write);
  stage("strip");
  StripResult result = {StripOutputs(model, request.allow_empty), {}};
  stage("write");
  result.written = WriteModel(model, request.output, request.write);
  return result;
}

}  // namespace onnx_expose
