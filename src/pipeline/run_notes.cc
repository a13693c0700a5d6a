#include "pipeline/run_notes.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "onnx_expose/element_types.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

constexpr std::array<std::string_view, 6> kRandomOps = {
    "Bernoulli",        "Multinomial",   "RandomNormal",
    "RandomNormalLike", "RandomUniform", "RandomUniformLike"};

bool HasAttribute(const onnx::NodeProto& node, std::string_view name) {
  return std::any_of(
      node.attribute().begin(), node.attribute().end(),
      [&](const auto& attribute) { return attribute.name() == name; });
}

bool IsFloat16(const onnx::TypeProto& type) {
  return type.tensor_type().elem_type() == onnx::TensorProto::FLOAT16;
}

}  // namespace

bool ComputesInFloat16(const ValueTypes& types) {
  return std::any_of(types.types.begin(), types.types.end(), IsFloat16);
}

std::vector<std::string> RandomNodes(const GraphIndex& index) {
  std::vector<std::string> names;
  for (size_t i = 0; i < index.nodes().size(); ++i) {
    const onnx::NodeProto& node = *index.nodes()[i].node;
    if (!NormalDomain(node.domain()).empty() || HasAttribute(node, "seed") ||
        std::find(kRandomOps.begin(), kRandomOps.end(), node.op_type()) ==
            kRandomOps.end()) {
      continue;
    }
    names.push_back(index.Describe(static_cast<int>(i)));
  }
  return names;
}

Warnings RunNotes(const GraphIndex& index, const ValueTypes& types,
                  const std::string& provider) {
  Warnings notes;
  if (ComputesInFloat16(types) &&
      (provider == "cpu" || provider == "CPUExecutionProvider")) {
    notes.push_back(
        {"a float16 model on the CPU: intermediate precision is not that of a "
         "GPU",
         "ONNX Runtime's CPU provider computes float16 nodes in float32 and "
         "leaves out the rounding between neighbours, but not where a value is "
         "an output: overflows can hide, and exposing changes last digits",
         ""});
  }
  std::vector<std::string> random = RandomNodes(index);
  if (!random.empty()) {
    const size_t count = random.size();
    if (count > 8) {
      random.resize(8);
      random.push_back("... and " + std::to_string(count - 8) + " more");
    }
    std::string list;
    for (const std::string& name : random) {
      list += (list.empty() ? "" : ", ") + name;
    }
    notes.push_back(
        {"random nodes without a seed give other numbers on every "
         "run: " +
             list,
         "the first runs of two fresh sessions agree", ""});
  }
  return notes;
}

}  // namespace onnx_expose
