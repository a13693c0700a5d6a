#ifndef ONNX_EXPOSE_PIPELINE_COMPARED_MODEL_H_
#define ONNX_EXPOSE_PIPELINE_COMPARED_MODEL_H_

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "onnx_expose/compare.h"
#include "onnx_expose/graph_index.h"
#include "onnx_expose/skeleton.h"
#include "pipeline/quantization.h"

namespace onnx_expose {

// A model beside the values that a run of it gave.
class ComparedModel {
 public:
  // `source` must outlive this.
  ComparedModel(const std::string& model, const ValueSource& source);

  const Skeleton& model() const { return model_; }
  const GraphIndex& index() const { return index_; }

  // The entry of that value in the first set; nothing if there is none.
  std::optional<size_t> Find(const std::string& name) const;
  Data Read(size_t entry) const { return source_.Read(entry); }
  // What an integer value stands for.
  std::optional<Quantization> QuantizationOf(const std::string& name) const;
  // The nodes that compute the value from what `stops` says yes to, from graph
  // inputs and initializers: positions in the main graph's list.
  template <typename Stops>
  std::vector<int> NodesBefore(const std::string& name,
                               const Stops& stops) const;

 private:
  // An initializer or a value of the run, as numbers.
  std::optional<std::vector<double>> Numbers(const std::string& name) const;

  Skeleton model_;
  GraphIndex index_;
  const ValueSource& source_;
  std::map<std::string, size_t> entries_;
  std::map<std::string, QuantizationNames> quantizations_;
};

template <typename Stops>
std::vector<int> ComparedModel::NodesBefore(const std::string& name,
                                            const Stops& stops) const {
  std::vector<int> nodes;
  std::vector<bool> seen(index_.nodes().size());
  std::vector<int> open;
  const auto enter = [&](int value) {
    const Value& known = index_.values()[static_cast<size_t>(value)];
    if (known.scope != 0 || known.node < 0) return;
    if (seen[static_cast<size_t>(known.node)]) return;
    seen[static_cast<size_t>(known.node)] = true;
    open.push_back(known.node);
  };
  const int first = index_.FindIn(0, name);
  if (first >= 0) enter(first);
  while (!open.empty()) {
    const int node = open.back();
    open.pop_back();
    nodes.push_back(index_.nodes()[static_cast<size_t>(node)].index);
    for (const int input : index_.Reads(node)) {
      if (!stops(input)) enter(input);
    }
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_PIPELINE_COMPARED_MODEL_H_
