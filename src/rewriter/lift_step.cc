#include "rewriter/lift_step.h"

#include <fmt/format.h>

#include "rewriter/bring_out.h"

namespace onnx_expose {
namespace {

constexpr int kIfWithFreeShapes = 11;

// Of a branch that runs in a Loop a sequence of the value: where the branch
// isn't taken the other one's empty sequence adds nothing to what is collected.
// The type of what comes out.
onnx::TypeProto BringOutOfBranch(const LiftStep& step) {
  if (!step.collected || !step.type.has_tensor_type()) {
    BringOut(step);
    return step.type;
  }
  const std::string taken = step.editor.NewName(step.path + "/taken");
  step.editor.Append(step.scope, "SequenceConstruct", {step.name}, taken);
  step.editor.AddBodyOutput(step.scope, -1, taken, step.name);
  return SequenceOf(step.type);
}

const char* StackObstacle(const LiftStep& step) {
  if (step.type.value_case() != onnx::TypeProto::VALUE_NOT_SET &&
      !step.type.has_tensor_type()) {
    return "a Scan gives out tensors only";
  }
  if (!step.same_shape) {
    return "its shape may differ between iterations, and a Scan can only stack";
  }
  return HasRank(step.type)
             ? nullptr
             : "its rank is unknown, and ONNX Runtime's Scan needs it";
}

}  // namespace

LiftOutcome LiftOutOfIf(const LiftStep& step) {
  const int opset = Opset(step);
  if (opset < kIfWithFreeShapes) {
    return {"", fmt::format("before opset 11 both branches of an If must give "
                            "the same shape, and this is opset {}",
                            opset)};
  }
  std::string obstacle = EmptyObstacle(step.type, opset);
  if (obstacle.empty()) obstacle = ListObstacle(step);
  if (!obstacle.empty()) return {"", obstacle};
  const auto& bodies = step.index.BodiesOf(step.owner);
  if (bodies.size() != 2) return {"", "the If doesn't have two branches"};
  const int other = bodies[0] == step.scope ? bodies[1] : bodies[0];
  const auto& here = *step.editor.scope(step.scope).graph;
  const auto& there = *step.editor.scope(other).graph;
  if (here.output_size() != there.output_size()) {
    return {"", "the branches of the If have different numbers of outputs"};
  }
  step.editor.Record(step.owner);
  auto& node = step.editor.node(step.owner);
  PadOutputs(node, here.output_size());
  const std::string empty = step.editor.AppendEmpty(
      other, BringOutOfBranch(step), step.path + "/not_taken");
  step.editor.AddBodyOutput(other, -1, empty, "");
  const std::string name = step.editor.NewName(step.path);
  node.add_output(name);
  return {name};
}

LiftOutcome LiftOutOfScan(const LiftStep& step) {
  if (const char* obstacle = StackObstacle(step)) {
    LiftOutcome outcome = {"", obstacle};
    outcome.by_loop = true;
    return outcome;
  }
  auto& node = step.editor.node(step.owner);
  auto& body = *step.editor.scope(step.scope).graph;
  step.editor.Record(step.owner);
  PadOutputs(node, body.output_size());
  for (auto& attribute : *node.mutable_attribute()) {
    if (attribute.name().rfind("scan_output_", 0) == 0) attribute.add_ints(0);
  }
  // ONNX Runtime may not find the rank by itself.
  *BringOut(step).mutable_type() = AnyShape(step.type);
  const std::string stacked =
      step.editor.NewName(step.last ? step.path + "/stacked" : step.path);
  node.add_output(stacked);
  if (!step.last) return {stacked};

  const int outside = OwnerScope(step);
  const std::string minus_one =
      step.editor.AppendNumber(outside, -1, step.path + "/minus_one");
  const std::string name = step.editor.NewName(step.path);
  step.editor.Append(outside, "Gather", {stacked, minus_one}, name);
  return {name};
}

LiftOutcome LiftOutOfSequenceMap(const LiftStep& step) {
  if (!step.type.has_tensor_type()) {
    return {"", "a SequenceMap collects tensors only"};
  }
  if (!HasElementType(step.type)) return {"", "its element type is unknown"};
  auto& node = step.editor.node(step.owner);
  step.editor.Record(step.owner);
  PadOutputs(node, step.editor.scope(step.scope).graph->output_size());
  // ONNX Runtime makes a Loop of it and wants to know the element type.
  *BringOut(step).mutable_type() = step.type;
  const std::string name = step.editor.NewName(step.path);
  node.add_output(name);
  return {name};
}

}  // namespace onnx_expose
