#include <fmt/format.h>

#include <string>

#include "rewriter/bring_out.h"
#include "rewriter/lift_step.h"

namespace onnx_expose {
namespace {

// A new Loop state that starts with `initial` outside and becomes `result` at
// the end of each iteration; the state outside gets the step's path.
struct LoopState {
  std::string inside;  // what the body reads
  std::string outside;
};

// The carried values of a Loop lie between iteration and condition on one side
// and scan outputs on the other.
class LoopEditor {
 public:
  explicit LoopEditor(const LiftStep& step)
      : step_(step),
        node_(step.editor.node(step.owner)),
        body_(*step.editor.scope(step.scope).graph) {}

  bool IsValid() const {
    return body_.input_size() >= 2 && body_.output_size() >= 1 + Carried() &&
           node_.input_size() <= body_.input_size() &&
           node_.output_size() <= body_.output_size() - 1;
  }

  int Carried() const { return body_.input_size() - 2; }

  std::string AddScanOutput() {
    step_.editor.Record(step_.owner);
    PadOutputs(node_, body_.output_size() - 1);
    BringOut(step_);
    return AddNodeOutput(node_.output_size());
  }

  LoopState AddState(const std::string& initial) {
    step_.editor.Record(step_.owner);
    while (node_.input_size() < 2 + Carried()) node_.add_input("");
    PadOutputs(node_, Carried());
    position_ = Carried();
    LoopState state;
    state.inside = step_.editor.NewName(step_.path + "/carried");
    node_.add_input(initial);
    step_.editor.AddBodyInput(step_.scope, state.inside);
    state.outside = AddNodeOutput(position_);
    return state;
  }

  // The state becomes the value itself.
  void SetStateToValue() { BringOut(step_, 1 + position_); }

  // What the state becomes.
  void SetState(const std::string& result) {
    step_.editor.AddBodyOutput(step_.scope, 1 + position_, result, step_.name);
  }

 private:
  std::string AddNodeOutput(int position) {
    std::string name = step_.editor.NewName(step_.path);
    node_.add_output(name);
    for (int i = node_.output_size() - 1; i > position; --i) {
      node_.mutable_output()->SwapElements(i, i - 1);
    }
    return name;
  }

  const LiftStep& step_;
  onnx::NodeProto& node_;
  onnx::GraphProto& body_;
  int position_ = 0;
};

// Appends all elements of one sequence to another: ONNX has no operator for
// that, but a Loop can do it.
std::string AppendAll(const LiftStep& step, const std::string& to,
                      const std::string& from) {
  BodyEditor& editor = step.editor;
  const auto name = [&](const char* part) {
    return editor.NewName(step.path + "/append/" + part);
  };
  const std::string count = name("count");
  const std::string index = name("index");
  const std::string more = name("more");
  const std::string more_out = name("more_out");
  const std::string whole = name("whole");
  const std::string element = name("element");
  const std::string longer = name("longer");
  const std::string result = name("result");
  editor.Append(step.scope, "SequenceLength", {from}, count);
  auto& loop = editor.Append(step.scope, "Loop", {count, "", to}, result);
  auto& body = AddBody(loop);
  body.set_name(result);
  AddScalarInput(body, index, onnx::TensorProto::INT64);
  AddScalarInput(body, more, onnx::TensorProto::BOOL);
  auto& sequence = *body.add_input();
  sequence.set_name(whole);
  *sequence.mutable_type() = step.type;
  body.add_output()->set_name(more_out);
  body.add_output()->set_name(longer);
  auto& nodes = *body.mutable_node();
  AddNode(nodes, "Identity", {more}, more_out);
  AddNode(nodes, "SequenceAt", {from, index}, element);
  AddNode(nodes, "SequenceInsert", {whole, element}, longer);
  return result;
}

LiftOutcome CarrySequence(const LiftStep& step, LoopEditor& loop) {
  const bool is_sequence = step.type.has_sequence_type();
  const onnx::TypeProto type = is_sequence ? step.type : SequenceOf(step.type);
  const std::string initial =
      step.editor.AppendEmpty(OwnerScope(step), type, step.path + "/initial");
  const LoopState state = loop.AddState(initial);
  std::string result;
  if (is_sequence) {
    result = AppendAll(step, state.inside, step.name);
  } else {
    result = step.editor.NewName(step.path + "/appended");
    step.editor.Append(step.scope, "SequenceInsert", {state.inside, step.name},
                       result);
  }
  loop.SetState(result);
  return {state.outside};
}

}  // namespace

LiftOutcome LiftOutOfLoop(const LiftStep& step) {
  LoopEditor loop(step);
  if (!loop.IsValid()) return {"", "the Loop and its body don't fit together"};
  const bool tensor = step.type.has_tensor_type();
  if (tensor && step.same_shape && !step.last) {
    return {loop.AddScanOutput()};
  }
  const int opset = Opset(step);
  const std::string obstacle = EmptyObstacle(step.type, opset);
  if (!obstacle.empty()) return {"", obstacle};
  if (step.last) {
    const std::string twice = ListObstacle(step);
    if (!twice.empty()) return {"", twice};
    const LoopState state = loop.AddState(step.editor.AppendEmpty(
        OwnerScope(step), step.type, step.path + "/initial"));
    loop.SetStateToValue();
    return {state.outside, "",
            HasRank(step.type) ? AnyShape(step.type) : onnx::TypeProto()};
  }
  if (opset < kLoopOfSequences) {
    return {"", fmt::format("its shape may differ between iterations, and a "
                            "Loop carries sequences from opset 13 on (this is "
                            "opset {})",
                            opset)};
  }
  if (!tensor && !IsTensorSequence(step.type)) {
    return {"", fmt::format("a Loop can't collect values of type {}",
                            TypeText(step.type))};
  }
  return CarrySequence(step, loop);
}

}  // namespace onnx_expose
