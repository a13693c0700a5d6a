#ifndef ONNX_EXPOSE_RUN_H_
#define ONNX_EXPOSE_RUN_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "onnx_expose/dump.h"
#include "onnx_expose/feeds.h"
#include "onnx_expose/pipeline.h"
#include "onnx_expose/runtime.h"

namespace onnx_expose {

// What makes a value bad.
enum class StopAt {
  kNan,
  kInf,      // plus or minus infinity
  kOverflow  // infinity, or a magnitude beyond float16's greatest, 65504
};

struct RunProgress {
  std::string set;  // of the data set; empty if there is one
  size_t done = 0;  // values
  size_t total = 0;
  uint64_t bytes = 0;  // written
};

struct RunRequest {
  std::string model;   // path, "-" = standard input
  std::string output;  // folder of the dump
  // What to expose; without an including option the model's own outputs alone.
  SelectorOptions select;
  ExposeOptions expose;
  InferOptions infer;
  FeedOptions feeds;
  std::vector<std::string> libraries;  // ONNX Runtime: see Runtime
  SessionOptions session;
  DumpOptions dump;
  // Run the untouched model as well and compare its outputs bit for bit.
  bool verify = true;
  // output/v1, v2, ..., each with model.onnx (the debug model) and outputs/.
  bool versioned = false;
  std::optional<StopAt> stop_at;
  // Not 0: run in pieces, so that weights and values of one of them take about
  // this many bytes. Says nothing about the original outputs (no verify).
  uint64_t max_memory = 0;
  StageCallback on_stage;                               // may be empty
  std::function<void(const RunProgress&)> on_progress;  // may be empty
};

// The first node that made something bad of good inputs.
struct BadValue {
  std::string set;
  DumpedValue value;
  // Whether all it reads was looked at; otherwise some of it could have been
  // bad already.
  bool inputs_known = true;
};

struct RunResult {
  struct Set {
    std::string name;    // empty if there is one
    std::string folder;  // of the dump
    Manifest manifest;
  };
  ExposeReport exposed;
  std::string debug_model;  // that --versioned saved
  std::vector<Set> sets;
  size_t pieces = 1;
  std::optional<BadValue> first_bad;  // with `stop_at`
  Warnings warnings;
};

// From a model file to a dump: load, infer, select, expose, run, save.
//
//   RunRequest request;
//   request.model = "model.onnx";
//   request.select.ops = {"Conv"};
//   request.output = "dump";
//   request.libraries = {"libonnxruntime.so.1.32.0"};
//   RunResult result = RunModel(request);
//
// Throws Error as the stages do; Error(kRuntime) when ONNX Runtime refuses. A
// dump is complete or has no manifest.json.
RunResult RunModel(const RunRequest& request);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUN_H_
