#include "pipeline/pieces.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "model/topological_order.h"
#include "onnx_expose/skeleton.h"
#include "onnx_expose/tensor.h"
#include "support/at.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// A value whose size isn't known is taken to be so many times the largest that
// its node reads; and a piece computes no more than so many of them. What they
// turn out to be tells about those behind them.
constexpr uint64_t kGuess = 8;
constexpr int kMostUnknown = 8;

constexpr uint64_t kLargest = uint64_t{1} << 48;

// Tensors in a node's attributes and bodies.
uint64_t TensorsIn(const onnx::NodeProto& node);

uint64_t TensorsIn(const onnx::GraphProto& graph) {
  uint64_t bytes = 0;
  for (const auto& tensor : graph.initializer()) {
    bytes += TensorBytes(tensor).value_or(0);
  }
  for (const auto& node : graph.node()) bytes += TensorsIn(node);
  return bytes;
}

uint64_t TensorsIn(const onnx::NodeProto& node) {
  uint64_t bytes = 0;
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_t()) bytes += TensorBytes(attribute.t()).value_or(0);
    if (attribute.has_g()) bytes += TensorsIn(attribute.g());
    for (const auto& graph : attribute.graphs()) bytes += TensorsIn(graph);
  }
  return bytes;
}

// Bytes of a tensor of this type; nothing if a dim isn't known.
std::optional<uint64_t> SizeOf(const onnx::TypeProto& type) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return {};
  uint64_t count = 1;
  for (const auto& dim : type.tensor_type().shape().dim()) {
    if (!dim.has_dim_value() || dim.dim_value() < 0) return {};
    const auto size = static_cast<uint64_t>(dim.dim_value());
    if (size != 0 && count > kLargest / size) return {};
    count *= size;
  }
  return DataBytes(type.tensor_type().elem_type(), count);
}

bool IsTensor(const onnx::TypeProto& type) {
  return type.value_case() == onnx::TypeProto::kTensorType ||
         type.value_case() == onnx::TypeProto::VALUE_NOT_SET;
}

bool IsConstant(const onnx::NodeProto& node) {
  return node.op_type() == "Constant" && NormalDomain(node.domain()).empty();
}

}  // namespace

PiecePlan::PiecePlan(const GraphIndex& index,
                     const std::vector<std::string>& wanted)
    : index_(index) {
  const size_t values = index.values().size();
  computed_.resize(values);
  last_read_.resize(values);
  wanted_.resize(values);
  weights_.resize(values);
  constant_.assign(values, -1);
  sizes_.resize(values);
  unknown_.resize(values);
  const std::vector<int> at = NodesOf(index, 0);
  for (const int position : TopologicalOrder(index, 0)) {
    const int node = at[At(position)];
    nodes_.push_back(node);
    inner_.push_back(TensorsIn(*index.nodes()[At(node)].node));
    for (const int value : index.Writes(node)) {
      computed_[At(value)] = nodes_.size();
      if (!IsConstant(*index.nodes()[At(node)].node)) continue;
      constant_[At(value)] = position;
      weights_[At(value)] = inner_.back();
    }
    for (const int value : index.Reads(node)) {
      if (constant_[At(value)] < 0) last_read_[At(value)] = nodes_.size();
    }
  }
  for (const std::string& name : wanted) {
    const int value = index.FindIn(0, name);
    if (value >= 0) wanted_[At(value)] = true;
  }
  for (const auto& tensor : index.model().graph().initializer()) {
    const int value = index.FindIn(0, tensor.name());
    if (value >= 0) weights_[At(value)] = TensorBytes(tensor).value_or(0);
  }
}

void PiecePlan::SetTypes(const ValueTypes& types) {
  barred_.assign(nodes_.size() + 1, 0);
  for (size_t step = 0; step < nodes_.size(); ++step) {
    uint64_t largest_read = 0;
    for (const int value : index_.Reads(nodes_[step])) {
      largest_read = std::max(largest_read, sizes_[At(value)]);
    }
    for (const int value : index_.Writes(nodes_[step])) {
      if (constant_[At(value)] >= 0) continue;
      const onnx::TypeProto& type = types.types[At(value)];
      const std::optional<uint64_t> size = SizeOf(type);
      sizes_[At(value)] =
          size.value_or(std::min(kLargest, kGuess * largest_read));
      unknown_[At(value)] = !size.has_value();
      if (IsTensor(type)) continue;
      for (size_t i = step + 1; i < last_read_[At(value)]; ++i) ++barred_[i];
    }
  }
}

bool PiecePlan::HasUnknown(size_t step) const {
  for (size_t i = 0; i < unknown_.size(); ++i) {
    if (unknown_[i] && computed_[i] > step) return true;
  }
  return false;
}

size_t PiecePlan::End(size_t begin, uint64_t budget) const {
  uint64_t fed = 0;  // weights and what earlier pieces computed
  uint64_t live = 0;
  uint64_t peak = 0;
  int unknown = 0;
  std::unordered_set<int> seen;
  size_t end = begin;
  for (; end < nodes_.size(); ++end) {
    const int node = nodes_[end];
    fed += 2 * inner_[end];
    for (const int value : index_.Reads(node)) {
      if (IsComputedIn(value, begin, end) || !seen.insert(value).second) {
        continue;
      }
      fed += sizes_[At(value)] + 2 * weights_[At(value)];
    }
    for (const int value : index_.Writes(node)) {
      live += sizes_[At(value)];
      unknown += unknown_[At(value)] ? 1 : 0;
    }
    peak = std::max(peak, live);
    if (end > begin && (fed + peak > budget || unknown > kMostUnknown)) break;
    for (const int value : index_.Reads(node)) {
      if (IsComputedIn(value, begin, end) && !wanted_[At(value)] &&
          last_read_[At(value)] == end + 1) {
        live -= sizes_[At(value)];
      }
    }
  }
  size_t back = end;
  while (back > begin + 1 && barred_[back] > 0) --back;
  if (barred_[back] == 0) return back;
  while (barred_[end] > 0) ++end;
  return end;
}

size_t PiecePlan::Half(size_t begin, size_t end) const {
  const size_t middle = begin + (end - begin) / 2;
  for (size_t at = middle; at > begin; --at) {
    if (barred_[at] == 0) return at;
  }
  for (size_t at = middle + 1; at < end; ++at) {
    if (barred_[at] == 0) return at;
  }
  return end;
}

bool PiecePlan::IsComputedIn(int value, size_t begin, size_t end) const {
  const size_t step = computed_[At(value)];
  return step > begin && step <= end;
}

std::vector<int> PiecePlan::Nodes(size_t begin, size_t end) const {
  std::vector<int> positions;
  std::unordered_set<int> seen;
  for (size_t step = begin; step < end; ++step) {
    for (const int value : index_.Reads(nodes_[step])) {
      const int constant = constant_[At(value)];
      if (constant >= 0 && !IsComputedIn(value, begin, end) &&
          seen.insert(constant).second) {
        positions.push_back(constant);
      }
    }
  }
  for (size_t step = begin; step < end; ++step) {
    positions.push_back(index_.nodes()[At(nodes_[step])].index);
  }
  return positions;
}

std::vector<int> PiecePlan::Outputs(size_t begin, size_t end) const {
  std::vector<int> outputs;
  for (size_t step = begin; step < end; ++step) {
    for (const int value : index_.Writes(nodes_[step])) {
      if (IsWanted(value) || IsReadFrom(end, value)) outputs.push_back(value);
    }
  }
  return outputs;
}

}  // namespace onnx_expose
