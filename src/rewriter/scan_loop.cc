#include "rewriter/scan_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "model/operators.h"
#include "model/opsets.h"
#include "rewriter/bring_out.h"

namespace onnx_expose {
namespace {

// What the attribute says of a scan input; 0 unless it is there.
int64_t EntryOf(const onnx::NodeProto& scan, std::string_view name, int input) {
  for (const auto& attribute : scan.attribute()) {
    if (attribute.name() == name && input < attribute.ints_size()) {
      return attribute.ints(input);
    }
  }
  return 0;
}

int ScanInputsOf(const onnx::NodeProto& scan) {
  for (const auto& attribute : scan.attribute()) {
    if (attribute.name() == "num_scan_inputs") {
      return static_cast<int>(attribute.i());
    }
  }
  return 0;
}

bool Defines(const onnx::GraphProto& body, const std::string& name) {
  const auto is_it = [&](const auto& entry) { return entry.name() == name; };
  return std::any_of(body.input().begin(), body.input().end(), is_it) ||
         std::any_of(body.initializer().begin(), body.initializer().end(),
                     is_it);
}

// Everything in the body that reads `name`; outputs of nodes have other names.
void RenameReads(onnx::GraphProto& body, const std::string& name,
                 const std::string& now) {
  for (auto& node : *body.mutable_node()) {
    for (auto& input : *node.mutable_input()) {
      if (input == name) input = now;
    }
    for (auto& attribute : *node.mutable_attribute()) {
      if (!attribute.has_g() || Defines(attribute.g(), name)) continue;
      RenameReads(*attribute.mutable_g(), name, now);
    }
  }
  for (auto& output : *body.mutable_output()) {
    if (output.name() == name) output.set_name(now);
  }
}

class Conversion {
 public:
  Conversion(const GraphIndex& index, BodyEditor& editor, int scope)
      : index_(index),
        editor_(editor),
        scope_(scope),
        body_(*index.scopes()[static_cast<size_t>(scope)].graph),
        scan_node_(index.scopes()[static_cast<size_t>(scope)].owner),
        scan_(*index.nodes()[static_cast<size_t>(scan_node_)].node),
        outside_(index.nodes()[static_cast<size_t>(scan_node_)].scope),
        label_(index.Label(scan_node_)),
        states_(scan_.input_size() - ScanInputsOf(scan_)) {}

  std::string Obstacle() const {
    const int opset = DefaultOpset(index_, scope_);
    if (opset < kLoopOfSequences) {
      return fmt::format(
          "a Loop carries sequences from opset 13 on (this is opset {})",
          opset);
    }
    if (states_ < 0 || states_ >= scan_.input_size() ||
        body_.input_size() != scan_.input_size() ||
        body_.output_size() < states_) {
      return "the Scan and its body don't fit together";
    }
    if (DrawsUnseeded(index_, scope_)) {
      return "a Loop beside it would draw other random numbers";
    }
    return "";
  }

  const onnx::GraphProto* Append() {
    std::vector<std::string> inputs = {IterationCount(), ""};
    for (int i = 0; i < states_; ++i) inputs.push_back(scan_.input(i));
    auto& loop = editor_.Append(outside_, "Loop", inputs,
                                editor_.NewName(label_ + "/as_loop"));
    loop.clear_output();
    // ONNX Runtime crashes when a Loop's output is omitted.
    for (int i = 0; i < states_; ++i) {
      loop.add_output(editor_.NewName(fmt::format("{}/state_{}", label_, i)));
    }
    auto& body = AddBody(loop);
    FillBody(body);
    if (states_ == 0) AddNumbers(loop, body);
    return &body;
  }

 private:
  std::string IterationCount() {
    const std::string shape = editor_.NewName(label_ + "/scanned_shape");
    editor_.Append(outside_, "Shape", {scan_.input(states_)}, shape);
    const std::string axis = editor_.AppendNumber(
        outside_, EntryOf(scan_, "scan_input_axes", 0), label_ + "/axis");
    std::string count = editor_.NewName(label_ + "/iterations");
    editor_.Append(outside_, "Gather", {shape, axis}, count);
    return count;
  }

  void FillBody(onnx::GraphProto& body) {
    body = body_;
    body.clear_input();
    body.clear_output();
    body.clear_node();
    const std::string iteration =
        AddInput(body, "iteration", onnx::TensorProto::INT64);
    const std::string more = AddInput(body, "more", onnx::TensorProto::BOOL);
    for (int i = 0; i < states_; ++i) *body.add_input() = body_.input(i);
    for (int i = states_; i < scan_.input_size(); ++i) {
      AddSlice(body, i, iteration);
    }
    const std::string more_out = editor_.NewName(label_ + "/more_out");
    AddNode(*body.mutable_node(), "Identity", {more}, more_out);
    body.mutable_node()->MergeFrom(body_.node());
    body.add_output()->set_name(more_out);
    for (int i = 0; i < states_; ++i) *body.add_output() = body_.output(i);
    for (const auto& [name, now] : renamed_) RenameReads(body, name, now);
  }

  // A Loop without outputs is none, and inference would pass over it.
  void AddNumbers(onnx::NodeProto& loop, onnx::GraphProto& body) {
    const std::string number = editor_.NewName(label_ + "/number");
    AddNode(*body.mutable_node(), "Identity", {body.input(0).name()}, number);
    body.add_output()->set_name(number);
    loop.add_output(editor_.NewName(label_ + "/numbers"));
  }

  std::string AddInput(onnx::GraphProto& body, const char* part, int element) {
    std::string name = editor_.NewName(label_ + "/" + part);
    AddScalarInput(body, name, element);
    return name;
  }

  // What the Scan's body was handed is taken from the scan input.
  void AddSlice(onnx::GraphProto& body, int input,
                const std::string& iteration) {
    onnx::ValueInfoProto slice = body_.input(input);
    // A body's input may have the name of an outer value, a node's output not.
    if (index_.Resolve(outside_, slice.name()) >= 0) {
      std::string& name = renamed_[slice.name()];
      name = editor_.NewName(label_ + "/slice");
      slice.set_name(name);
    }
    const int number = input - states_;
    std::string at = iteration;
    if (EntryOf(scan_, "scan_input_directions", number) != 0) {
      // From the end: -1, -2, ...
      const std::string last =
          editor_.AppendNumber(outside_, -1, label_ + "/last");
      at = editor_.NewName(label_ + "/backwards");
      AddNode(*body.mutable_node(), "Sub", {last, iteration}, at);
    }
    auto& axis = *AddNode(*body.mutable_node(), "Gather",
                          {ScannedIn(input), at}, slice.name())
                      .add_attribute();
    axis.set_name("axis");
    axis.set_type(onnx::AttributeProto::INT);
    axis.set_i(EntryOf(scan_, "scan_input_axes", number));
    if (slice.has_type()) *body.add_value_info() = slice;
  }

  // The name under which the body can read the scan input.
  std::string ScannedIn(int input) {
    const std::string& scanned = scan_.input(input);
    if (index_.FindIn(scope_, scanned) < 0) return scanned;
    std::string name = editor_.NewName(label_ + "/scanned");
    editor_.Append(outside_, "Identity", {scanned}, name);
    return name;
  }

  const GraphIndex& index_;
  BodyEditor& editor_;
  int scope_;
  const onnx::GraphProto& body_;
  int scan_node_;
  const onnx::NodeProto& scan_;
  int outside_;
  std::string label_;
  int states_;
  std::map<std::string, std::string> renamed_;
};

}  // namespace

ScanLoop AppendScanLoop(const GraphIndex& index, BodyEditor& editor,
                        int scope) {
  Conversion conversion(index, editor, scope);
  std::string obstacle = conversion.Obstacle();
  if (!obstacle.empty()) return {nullptr, std::move(obstacle)};
  return {conversion.Append()};
}

}  // namespace onnx_expose
