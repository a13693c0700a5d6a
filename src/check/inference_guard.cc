#include "check/inference_guard.h"

#include <fmt/format.h>

#include "onnx_expose/graph_index.h"

namespace onnx_expose {

std::string InferenceHazard(const onnx::NodeProto& node,
                            const onnx::InferenceContext& context) {
  if (!NormalDomain(node.domain()).empty()) return "";
  // The library makes a list of that many sizes and reads one for each output.
  if (node.op_type() == "Split") {
    const auto* parts = context.getAttribute("num_outputs");
    if (parts != nullptr && parts->i() != node.output_size()) {
      return fmt::format("has num_outputs {}, but {} outputs", parts->i(),
                         node.output_size());
    }
  }
  return "";
}

}  // namespace onnx_expose
