#ifndef ONNX_EXPOSE_BENCH_H_
#define ONNX_EXPOSE_BENCH_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "onnx_expose/feeds.h"
#include "onnx_expose/pipeline.h"
#include "onnx_expose/runtime.h"

namespace onnx_expose {

// Times of one run each, in milliseconds.
struct Latency {
  size_t runs = 0;
  double min = 0;
  double mean = 0;
  double max = 0;
  double std = 0;  // of the sample
  double p50 = 0;  // percentiles, interpolated
  double p90 = 0;
  double p95 = 0;
  double p99 = 0;
};

// `times` in any order, not empty.
Latency LatencyOf(std::vector<double> times);

struct NodeTime {
  std::string node;
  std::string op_type;
  size_t calls = 0;  // of one run; nodes in loops have several
  double ms = 0;     // of one run, on average
  double share = 0;  // of all nodes' time
};

struct BenchRequest {
  std::string model;
  SelectorOptions select;  // empty: the release model alone
  ExposeOptions expose;
  FeedOptions feeds;  // the first data set is used
  std::vector<std::string> libraries;
  SessionOptions session;
  size_t warmup = 3;   // runs that don't count
  size_t repeat = 20;  // runs that do, at least 1
  bool release = true;
  bool debug = true;  // if something is selected
  bool per_node = false;
  StageCallback on_stage;  // may be empty
};

struct BenchResult {
  std::optional<Latency> release;
  std::optional<Latency> debug;
  size_t exposed = 0;  // outputs that the debug model has more
  // Of the debug model if that is measured, else of the release model; the
  // greatest time first.
  std::vector<NodeTime> nodes;
  std::string runtime_version;
  Warnings warnings;
};

// Runs the model as it is and with values exposed, in turn, so that whatever
// slows the machine down slows both.
BenchResult BenchModel(const BenchRequest& request);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_BENCH_H_
