#ifndef ONNX_EXPOSE_PIPELINE_H_
#define ONNX_EXPOSE_PIPELINE_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "onnx_expose/rewriter.h"
#include "onnx_expose/selector.h"
#include "onnx_expose/writer.h"

namespace onnx_expose {

// Called with the name of each stage ("load", "infer", ...) as it begins.
using StageCallback = std::function<void(std::string_view stage)>;

// How ONNX Runtime is asked about types (--probe).
struct ProbeOptions {
  bool probe = false;
  std::vector<std::string> libraries;  // see Runtime
  std::vector<std::string> custom_op_libraries;
};

struct ExposeRequest {
  std::string model;   // path, "-" = standard input
  std::string output;  // path, "-" = standard output; unused on a dry run
  DimOptions dims;
  InferOptions infer;
  ProbeOptions probe;
  SelectorOptions select;
  ExposeOptions expose;
  WriteOptions write;
  bool strict = false;  // the result must pass the ONNX checker's full check
  bool dry_run = false;
  // Write an exact copy (--when-env says no), the weights where they are.
  bool copy_only = false;
  std::string depfile;     // empty: none
  StageCallback on_stage;  // may be empty
};

struct ExposeResult : ExposeReport {
  WriteReport written;
};

// The main job from file to file: load, infer, select, expose, write.
//
//   ExposeRequest request;
//   request.model = "model.onnx";
//   request.output = "debug.onnx";
//   request.select.ops = {"Conv", "Gemm"};
//   ExposeResult result = ExposeModel(request);
//
// Throws Error as the stages do; then nothing was written.
ExposeResult ExposeModel(const ExposeRequest& request);

struct StripRequest {
  std::string model;
  std::string output;
  WriteOptions write;
  bool allow_empty = false;
  StageCallback on_stage;  // may be empty
};

struct StripResult : StripReport {
  WriteReport written;
};

// The original again; its weights stay where they are unless `write` says
// otherwise.
StripResult StripModel(const StripRequest& request);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_PIPELINE_H_
