#include "check/inference_guard.h"

#include <fmt/format.h>

#include "onnx_expose/graph_index.h"

namespace onnx_expose {
namespace {

// Higher than any rank; the library's own limit where it has one.
constexpr int64_t kMostDims = 1024;

// The length of a list that an input holds, if its shape is known.
int64_t ListLength(const onnx::InferenceContext& context, size_t input) {
  if (input >= context.getNumInputs()) return 0;
  const onnx::TypeProto* type = context.getInputType(input);
  if (type == nullptr || type->tensor_type().shape().dim_size() == 0) return 0;
  return type->tensor_type().shape().dim(0).dim_value();
}

}  // namespace

std::string InferenceHazard(const onnx::NodeProto& node,
                            const onnx::InferenceContext& context) {
  if (!NormalDomain(node.domain()).empty()) return "";
  const std::string& op = node.op_type();
  // Makes a list of that many sizes and reads one for each output.
  if (op == "Split") {
    const auto* parts = context.getAttribute("num_outputs");
    if (parts != nullptr && parts->i() != node.output_size()) {
      return fmt::format("has num_outputs {}, but {} outputs", parts->i(),
                         node.output_size());
    }
  }
  // Reads dims from there on.
  if (op == "GatherND") {
    const auto* batch = context.getAttribute("batch_dims");
    if (batch != nullptr && batch->i() < 0) {
      return fmt::format("has batch_dims {}", batch->i());
    }
  }
  // Make a shape of that many dims.
  if (op == "Expand" || op == "Col2Im") {
    for (size_t i = 1; i < 3; ++i) {
      const int64_t length = ListLength(context, i);
      if (length > kMostDims) {
        return fmt::format("asks for a tensor of {} dims", length);
      }
    }
  }
  return "";
}

uint64_t Weight(const onnx::AttributeProto& attribute) {
  return attribute.s().size() + static_cast<uint64_t>(attribute.floats_size()) +
         static_cast<uint64_t>(attribute.ints_size()) +
         static_cast<uint64_t>(attribute.strings_size());
}

uint64_t Weight(const onnx::NodeProto& node) {
  constexpr uint64_t kInAStep = 64;
  auto entries = static_cast<uint64_t>(node.input_size());
  entries += static_cast<uint64_t>(node.output_size());
  for (const auto& attribute : node.attribute()) entries += Weight(attribute);
  return 1 + entries / kInAStep;
}

}  // namespace onnx_expose
