#include "pipeline/probe.h"

#include <string>
#include <utility>
#include <vector>

#include "onnx_expose/error.h"
#include "onnx_expose/runtime.h"
#include "pipeline/runnable.h"

namespace onnx_expose {
namespace {

std::vector<std::string> OpenValues(const GraphIndex& index,
                                    const ValueTypes& types) {
  std::vector<std::string> names;
  for (int i = 0; i < index.node_output_count(); ++i) {
    const Value& value = index.values()[static_cast<size_t>(i)];
    const onnx::TypeProto& type = types.types[static_cast<size_t>(i)];
    if (value.scope == 0 && !(HasElementType(type) && HasRank(type))) {
      names.emplace_back(value.name);
    }
  }
  return names;
}

// ONNX Runtime doesn't tell a scalar from a tensor of unknown rank.
void ForgetScalars(onnx::TypeProto& type) {
  if (type.has_tensor_type() && type.tensor_type().shape().dim().empty()) {
    type.mutable_tensor_type()->clear_shape();
  }
}

// The model with `names` as outputs and nothing said about them.
Skeleton WithOutputs(const Skeleton& model,
                     const std::vector<std::string>& names) {
  Skeleton result = model.Clone();
  auto& graph = *result.proto.mutable_graph();
  for (const std::string& name : names) {
    bool is_output = false;
    for (const auto& output : graph.output())
      is_output |= output.name() == name;
    if (!is_output) graph.add_output()->set_name(name);
  }
  return result;
}

using NamedTypes = std::vector<std::pair<std::string, onnx::TypeProto>>;

NamedTypes TypesOfSession(const Skeleton& model,
                          const std::vector<std::string>& names,
                          const ProbeOptions& probe) {
  const Runtime runtime(probe.libraries);
  ScratchFolder scratch(model.source->path());
  SessionOptions options;
  options.custom_op_libraries = probe.custom_op_libraries;
  const Session session(
      runtime, Runnable(WithOutputs(model, names), runtime, scratch), options);
  NamedTypes types;
  for (size_t i = 0; i < session.outputs().size(); ++i) {
    const std::string& text = session.output_types()[i];
    if (text.find("sparse") != std::string::npos || text == "?") continue;
    onnx::TypeProto type = ParseType(text);
    ForgetScalars(type);
    types.emplace_back(session.outputs()[i], std::move(type));
  }
  return types;
}

}  // namespace

ValueTypes InferOrProbeTypes(const Skeleton& model, const GraphIndex& index,
                             const ProbeOptions& probe, InferOptions& infer) {
  ValueTypes types = InferTypes(index, infer);
  if (!probe.probe) return types;
  const std::vector<std::string> open = OpenValues(index, types);
  if (open.empty()) return types;
  try {
    infer.probed = TypesOfSession(model, open, probe);
  } catch (const Error& error) {
    if (error.code() != ExitCode::kRuntime || error.file().empty()) throw;
    types.warnings.push_back({"--probe: " + error.message().what,
                              "types that inference can't find stay unknown",
                              ""});
    return types;
  }
  return InferTypes(index, infer);
}

}  // namespace onnx_expose
