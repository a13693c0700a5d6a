#ifndef ONNX_EXPOSE_PIPELINE_EXECUTION_H_
#define ONNX_EXPOSE_PIPELINE_EXECUTION_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "onnx_expose/feeds.h"
#include "onnx_expose/runtime.h"
#include "onnx_expose/skeleton.h"
#include "pipeline/runnable.h"

namespace onnx_expose {

// Gets each value of a run once, in the order they were asked for. False: no
// more are wanted.
using ValueSink = std::function<bool(const std::string& name, Data data)>;

// How a model is run: as a whole, or in pieces that need less memory.
class Execution {
 public:
  virtual ~Execution() = default;
  virtual void Run(const FeedSet& feeds, const std::vector<std::string>& values,
                   const ValueSink& sink) = 0;
  virtual Warnings TakeWarnings() = 0;
  // Of the last run.
  virtual size_t pieces() const { return 1; }
};

std::unique_ptr<Execution> WholeExecution(Session session);

// `model` must outlive the execution. Its main graph is cut along its
// topological order so that the weights and values of each piece take about
// `max_memory` bytes. A node is never cut.
std::unique_ptr<Execution> PiecewiseExecution(const Skeleton& model,
                                              const Runtime& runtime,
                                              const SessionOptions& options,
                                              uint64_t max_memory,
                                              ScratchFolder& scratch);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_PIPELINE_EXECUTION_H_
