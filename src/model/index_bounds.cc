#include "model/index_bounds.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

namespace onnx_expose {
namespace {

// An input of an operator that holds positions along an axis of another.
struct IndexUse {
  std::string_view domain;
  std::string_view op;
  int indices;
  int data;
  const char* axis;  // attribute, 0 by default; null: axis 0
};

constexpr std::string_view kMicrosoft = "com.microsoft";
constexpr IndexUse kUses[] = {
    {"", "Gather", 1, 0, "axis"},
    {"", "GatherElements", 1, 0, "axis"},
    {"", "ScatterElements", 1, 0, "axis"},
    {"", "Scatter", 1, 0, "axis"},
    {kMicrosoft, "GatherBlockQuantized", 1, 0, "gather_axis"},
    {kMicrosoft, "EmbedLayerNormalization", 0, 2, nullptr},
    {kMicrosoft, "EmbedLayerNormalization", 1, 4, nullptr},
    {kMicrosoft, "EmbedLayerNormalization", 8, 3, nullptr},
    {kMicrosoft, "QEmbedLayerNormalization", 0, 2, nullptr},
    {kMicrosoft, "QEmbedLayerNormalization", 1, 4, nullptr},
};

// Operators whose output has the numbers of their first input.
constexpr std::string_view kSameNumbers[] = {"Cast",     "Flatten", "Identity",
                                             "Reshape",  "Squeeze", "Transpose",
                                             "Unsqueeze"};

bool IsInteger(const onnx::TypeProto& type) {
  const int element = type.tensor_type().elem_type();
  return element == onnx::TensorProto::INT64 ||
         element == onnx::TensorProto::INT32 ||
         element == onnx::TensorProto::INT16 ||
         element == onnx::TensorProto::INT8 ||
         element == onnx::TensorProto::UINT8 ||
         element == onnx::TensorProto::UINT16 ||
         element == onnx::TensorProto::UINT32 ||
         element == onnx::TensorProto::UINT64;
}

int64_t Attribute(const onnx::NodeProto& node, const char* name) {
  if (name == nullptr) return 0;
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() == name) return attribute.i();
  }
  return 0;
}

class BoundFinder {
 public:
  BoundFinder(const GraphIndex& index, const ValueTypes& types)
      : index_(index), types_(types) {}

  // The smallest size that the value's numbers index; 0 if none is known.
  int64_t Find(int start) {
    std::vector<int> open = {start};
    std::set<int> seen = {start};
    int64_t bound = 0;
    while (!open.empty()) {
      const int value = open.back();
      open.pop_back();
      for (const int reader : index_.Readers(value)) {
        const int64_t size = SizeIndexed(reader, value);
        if (size > 0) bound = bound == 0 ? size : std::min(bound, size);
        if (!PassesOn(reader, value)) continue;
        for (const int written : index_.Writes(reader)) {
          if (seen.insert(written).second) open.push_back(written);
        }
      }
    }
    return bound;
  }

 private:
  bool Reads(const NodeRef& ref, int input, int value) const {
    return input < ref.node->input_size() &&
           index_.Resolve(ref.scope, ref.node->input(input)) == value;
  }

  bool PassesOn(int reader, int value) const {
    const NodeRef& ref = index_.nodes()[static_cast<size_t>(reader)];
    return NormalDomain(ref.node->domain()).empty() &&
           std::find(std::begin(kSameNumbers), std::end(kSameNumbers),
                     ref.node->op_type()) != std::end(kSameNumbers) &&
           Reads(ref, 0, value);
  }

  int64_t SizeIndexed(int reader, int value) const {
    const NodeRef& ref = index_.nodes()[static_cast<size_t>(reader)];
    int64_t bound = 0;
    for (const IndexUse& use : kUses) {
      if (ref.node->op_type() != use.op ||
          NormalDomain(ref.node->domain()) != use.domain ||
          !Reads(ref, use.indices, value) ||
          ref.node->input_size() <= use.data) {
        continue;
      }
      const int64_t size =
          DimOf(index_.Resolve(ref.scope, ref.node->input(use.data)),
                Attribute(*ref.node, use.axis));
      if (size > 0) bound = bound == 0 ? size : std::min(bound, size);
    }
    return bound == 0 ? SizeOfTuples(ref, value) : bound;
  }

  // Of GatherND and ScatterND: the last dim of the indices is a tuple of
  // positions, and the smallest of the dims they are in bounds all of them.
  int64_t SizeOfTuples(const NodeRef& ref, int value) const {
    const std::string& op = ref.node->op_type();
    if ((op != "GatherND" && op != "ScatterND") ||
        !NormalDomain(ref.node->domain()).empty() || !Reads(ref, 1, value)) {
      return 0;
    }
    const int data = index_.Resolve(ref.scope, ref.node->input(0));
    const int64_t first = Attribute(*ref.node, "batch_dims");
    const int64_t count = DimOf(value, -1);
    int64_t bound = 0;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t size = DimOf(data, first + i);
      if (size <= 0) return 0;
      bound = bound == 0 ? size : std::min(bound, size);
    }
    return bound;
  }

  int64_t DimOf(int value, int64_t axis) const {
    if (value < 0) return 0;
    const auto& type = types_.types[static_cast<size_t>(value)];
    const auto& shape = type.tensor_type().shape();
    if (axis < 0) axis += shape.dim_size();
    if (axis < 0 || axis >= shape.dim_size()) return 0;
    return shape.dim(static_cast<int>(axis)).dim_value();
  }

  const GraphIndex& index_;
  const ValueTypes& types_;
};

}  // namespace

std::map<std::string, int64_t> IndexBounds(const GraphIndex& index,
                                           const ValueTypes& types) {
  std::map<std::string, int64_t> bounds;
  BoundFinder finder(index, types);
  for (const auto& input : index.model().graph().input()) {
    if (!IsInteger(input.type())) continue;
    const int value = index.FindIn(0, input.name());
    if (value < 0) continue;
    const int64_t bound = finder.Find(value);
    if (bound > 0) bounds.emplace(input.name(), bound);
  }
  return bounds;
}

}  // namespace onnx_expose
