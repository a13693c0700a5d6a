#include "rewriter/lift_step.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/opsets.h"

namespace onnx_expose {
namespace {

constexpr int kIfWithFreeShapes = 11;
constexpr int kSequences = 11;
constexpr int kOptionals = 15;
constexpr int kLoopOfSequences = 13;
constexpr int kIdentityOfSequences = 14;
constexpr int kIdentityOfOptionals = 16;

bool IsTensorSequence(const onnx::TypeProto& type) {
  return type.has_sequence_type() &&
         type.sequence_type().elem_type().has_tensor_type();
}

onnx::TypeProto SequenceOf(const onnx::TypeProto& element) {
  onnx::TypeProto type;
  *type.mutable_sequence_type()->mutable_elem_type() = element;
  return type;
}

// Of that rank, and nothing known of the dims.
onnx::TypeProto AnyShape(onnx::TypeProto type) {
  if (!type.has_tensor_type()) return type;
  for (auto& dim :
       *type.mutable_tensor_type()->mutable_shape()->mutable_dim()) {
    dim.Clear();
  }
  return type;
}

// Why no empty value of the type can stand in where it isn't computed.
std::string EmptyObstacle(const onnx::TypeProto& type, int opset) {
  if (!HasElementType(type)) return "its element type is unknown";
  if (type.has_tensor_type()) return "";
  if (IsTensorSequence(type)) {
    return opset < kSequences ? "sequences need opset 11" : "";
  }
  if (type.has_optional_type()) {
    return opset < kOptionals ? "optionals need opset 15" : "";
  }
  return fmt::format("there is no empty {}", TypeText(type));
}

int Opset(const LiftStep& step) { return DefaultOpset(step.index, step.scope); }

int OwnerScope(const LiftStep& step) {
  return step.index.nodes()[static_cast<size_t>(step.owner)].scope;
}

bool IsListed(const LiftStep& step) {
  const auto& outputs = step.editor.scope(step.scope).graph->output();
  return std::any_of(outputs.begin(), outputs.end(), [&](const auto& output) {
    return output.name() == step.name;
  });
}

// A body that lists one value twice gives wrong results in ONNX Runtime, and
// before opset 14 there is no way to copy a sequence.
std::string ListObstacle(const LiftStep& step) {
  if (step.type.has_tensor_type() || !IsListed(step)) return "";
  const int needed = step.type.has_optional_type() ? kIdentityOfOptionals
                                                   : kIdentityOfSequences;
  if (Opset(step) >= needed) return "";
  return fmt::format(
      "it is an output of its body already, and before opset {} "
      "Identity can't copy it",
      needed);
}

// The name under which the body can list the value: its own, or that of a copy
// if the body lists it already.
std::string ListedName(const LiftStep& step) {
  if (!IsListed(step)) return step.name;
  std::string copy = step.editor.NewName(step.path + "/copy");
  step.editor.Append(step.scope, "Identity", {step.name}, copy);
  return copy;
}

// Adds the value to the body's outputs. Its type can be inferred, but not
// beside an entry in value_info: inference would leave the output without one.
onnx::ValueInfoProto& BringOut(const LiftStep& step, int position = -1) {
  const std::string listed = ListedName(step);
  auto& output =
      step.editor.AddBodyOutput(step.scope, position, listed, step.name);
  const auto& infos = step.editor.scope(step.scope).graph->value_info();
  if (HasElementType(step.type) &&
      std::any_of(infos.begin(), infos.end(),
                  [&](const auto& info) { return info.name() == listed; })) {
    *output.mutable_type() = step.type;
  }
  return output;
}

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

onnx::TypeProto Scalar(int element) {
  onnx::TypeProto type;
  type.mutable_tensor_type()->set_elem_type(element);
  type.mutable_tensor_type()->mutable_shape();
  return type;
}

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
  auto& attribute = *loop.add_attribute();
  attribute.set_name("body");
  attribute.set_type(onnx::AttributeProto::GRAPH);
  auto& body = *attribute.mutable_g();
  body.set_name(result);
  const auto input = [&](const std::string& input_name,
                         const onnx::TypeProto& type) {
    auto& info = *body.add_input();
    info.set_name(input_name);
    *info.mutable_type() = type;
  };
  input(index, Scalar(onnx::TensorProto::INT64));
  input(more, Scalar(onnx::TensorProto::BOOL));
  input(whole, step.type);
  body.add_output()->set_name(more_out);
  body.add_output()->set_name(longer);
  const auto node = [&](const char* op, std::vector<std::string> inputs,
                        const std::string& output) {
    auto& added = *body.add_node();
    for (auto& read : inputs) added.add_input(std::move(read));
    added.add_output(output);
    added.set_name(output);
    added.set_op_type(op);
  };
  node("Identity", {more}, more_out);
  node("SequenceAt", {from, index}, element);
  node("SequenceInsert", {whole, element}, longer);
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

bool HasAllDims(const onnx::TypeProto& type) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return false;
  const auto& dims = type.tensor_type().shape().dim();
  return std::all_of(dims.begin(), dims.end(), [](const auto& dim) {
    return dim.has_dim_value() || dim.has_dim_param();
  });
}

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

LiftOutcome LiftOutOfScan(const LiftStep& step) {
  if (step.type.value_case() != onnx::TypeProto::VALUE_NOT_SET &&
      !step.type.has_tensor_type()) {
    return {"", "a Scan gives out tensors only"};
  }
  if (!step.same_shape) {
    return {"",
            "its shape may differ between iterations, and a Scan can only "
            "stack"};
  }
  if (!HasRank(step.type)) {
    return {"", "its rank is unknown, and ONNX Runtime's Scan needs it"};
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
  const std::string minus_one = step.editor.NewName(step.path + "/minus_one");
  auto& attribute =
      *step.editor.Append(outside, "Constant", {}, minus_one).add_attribute();
  attribute.set_name("value");
  attribute.set_type(onnx::AttributeProto::TENSOR);
  attribute.mutable_t()->set_data_type(onnx::TensorProto::INT64);
  attribute.mutable_t()->add_int64_data(-1);
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
