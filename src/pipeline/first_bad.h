#ifndef ONNX_EXPOSE_PIPELINE_FIRST_BAD_H_
#define ONNX_EXPOSE_PIPELINE_FIRST_BAD_H_

#include <functional>
#include <optional>
#include <unordered_map>

#include "onnx_expose/graph_index.h"
#include "onnx_expose/run.h"
#include "pipeline/places.h"

namespace onnx_expose {

bool IsBad(const Statistics& stats, StopAt what);

// Looks at values in the order of the run for the first one that is bad
// although everything its node reads is good.
class FirstBad {
 public:
  // Computes the statistics of initializers of the main graph by name.
  using Initializers = std::function<Statistics(const std::string& name)>;

  FirstBad(const GraphIndex& index, StopAt what, Initializers initializers)
      : index_(index), what_(what), initializers_(std::move(initializers)) {}

  void AddInput(const Feed& feed);
  // True if this is the one. `value.stats` is filled in.
  bool Add(const Place& place, const Statistics& stats);
  // Of the value Add said true for: whether all inputs were looked at.
  bool inputs_known() const { return inputs_known_; }

 private:
  // Nothing if it wasn't looked at.
  std::optional<bool> IsBadInput(int value);

  const GraphIndex& index_;
  StopAt what_;
  Initializers initializers_;
  std::unordered_map<int, bool> seen_;  // value -> bad
  bool inputs_known_ = true;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_PIPELINE_FIRST_BAD_H_
