#include "runtime/empty_sequence.h"

#include <onnx/onnx_pb.h>

#include <string>
#include <utility>
#include <vector>

namespace onnx_expose {

Ort::Value EmptySequence(const Ort::Env& env, int element_type) {
  constexpr int kIrVersion = 6;
  constexpr int kOpset = 11;
  constexpr const char* kOutput = "empty";
  onnx::ModelProto model;
  model.set_ir_version(kIrVersion);
  model.add_opset_import()->set_version(kOpset);
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("graph");
  graph.add_output()->set_name(kOutput);
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type("SequenceEmpty");
  node.add_output(kOutput);
  onnx::AttributeProto& type = *node.add_attribute();
  type.set_name("dtype");
  type.set_type(onnx::AttributeProto::INT);
  type.set_i(element_type);

  const std::string bytes = model.SerializeAsString();
  Ort::SessionOptions options;
  options.SetIntraOpNumThreads(1);
  options.DisableCpuMemArena();
  Ort::Session session(env, bytes.data(), bytes.size(), options);
  std::vector<Ort::Value> results =
      session.Run(Ort::RunOptions{nullptr}, nullptr, nullptr, 0, &kOutput, 1);
  return std::move(results.front());
}

}  // namespace onnx_expose
