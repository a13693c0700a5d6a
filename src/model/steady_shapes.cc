#include "model/steady_shapes.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/op_schemas.h"
#include "model/operators.h"
#include "model/opsets.h"
#include "model/topological_order.h"
#include "support/at.h"

namespace onnx_expose {
namespace {

// Operators of ONNX (up to opset 28) whose output's shape is a matter of what
// they compute, or that give no tensor.
bool MakesOwnShape(const onnx::NodeProto& node) {
  static const std::unordered_set<std::string_view> operators = {
      "Attention",
      "Compress",
      "ConcatFromSequence",
      "ImageDecoder",
      "NonMaxSuppression",
      "NonZero",
      "Optional",
      "OptionalGetElement",
      "SequenceAt",
      "SequenceConstruct",
      "SequenceEmpty",
      "SequenceErase",
      "SequenceInsert",
      "SplitToSequence",
      "StringNormalizer",
      "StringSplit",
      "Unique"};
  return operators.count(node.op_type()) > 0;
}

// Inputs whose numbers decide about the output's shape. With all other
// operators only the shapes of the inputs do.
const std::unordered_map<std::string_view, std::vector<int>>& ShapeInputs() {
  static const std::unordered_map<std::string_view, std::vector<int>> inputs = {
      {"AffineGrid", {1}},
      {"BlackmanWindow", {0}},
      {"CenterCropPad", {1}},
      {"Col2Im", {1, 2}},
      {"ConstantOfShape", {0}},
      {"DFT", {1, 2}},
      {"Expand", {1}},
      {"HammingWindow", {0}},
      {"HannWindow", {0}},
      {"MaxUnpool", {2}},
      {"MelWeightMatrix", {0, 1}},
      {"OneHot", {1}},
      {"Pad", {1, 3}},
      {"Range", {0, 1, 2}},
      {"ReduceL1", {1}},
      {"ReduceL2", {1}},
      {"ReduceLogSum", {1}},
      {"ReduceLogSumExp", {1}},
      {"ReduceMax", {1}},
      {"ReduceMean", {1}},
      {"ReduceMin", {1}},
      {"ReduceProd", {1}},
      {"ReduceSum", {1}},
      {"ReduceSumSquare", {1}},
      {"Reshape", {1}},
      {"Resize", {1, 2, 3}},
      {"STFT", {1, 2, 3}},
      {"Slice", {1, 2, 3, 4}},
      {"Split", {1}},
      {"Squeeze", {1}},
      {"Tile", {1, 2}},
      {"TopK", {1}},
      {"Unsqueeze", {1}},
      {"Upsample", {1}}};
  return inputs;
}

// What is known of the values a body defines; values from outside are steady.
class SteadyValues {
 public:
  SteadyValues(const GraphIndex& index, int scope)
      : index_(index), scope_(scope) {
    const int opset = DefaultOpset(index, scope);
    for (int i = 0; i < static_cast<int>(index.values().size()); ++i) {
      const Value& value = index.values()[At(i)];
      if (value.scope != scope || value.node >= 0) continue;
      shape_.insert(i);
      if (value.kind == Value::Kind::kInitializer) data_.insert(i);
    }
    const std::vector<int> nodes = NodesOf(index, scope);
    for (const int position : TopologicalOrder(index, scope)) {
      Look(nodes[At(position)], opset);
    }
  }

  const std::set<int>& shapes() const { return shape_; }

 private:
  void Look(int node, int opset) {
    const onnx::NodeProto& proto = *index_.nodes()[At(node)].node;
    const bool known =
        NormalDomain(proto.domain()).empty() && index_.Callee(node) < 0 &&
        index_.BodiesOf(node).empty() &&
        OpSchemas::Instance().GetSchema(proto.op_type(), opset, "") != nullptr;
    if (!known || MakesOwnShape(proto)) return;
    const std::span<const int> reads = index_.Reads(node);
    if (!std::all_of(reads.begin(), reads.end(),
                     [&](int value) { return IsSteady(value, shape_); })) {
      return;
    }
    const bool data =
        !IsRandom(proto) &&
        (proto.op_type() == "Shape" || proto.op_type() == "Size" ||
         std::all_of(reads.begin(), reads.end(),
                     [&](int value) { return IsSteady(value, data_); }));
    if (!data && !ShapeIsSteady(proto)) return;
    for (const int value : index_.Writes(node)) {
      shape_.insert(value);
      if (data) data_.insert(value);
    }
  }

  bool ShapeIsSteady(const onnx::NodeProto& node) const {
    const auto entry = ShapeInputs().find(node.op_type());
    if (entry == ShapeInputs().end()) return true;
    return std::all_of(
        entry->second.begin(), entry->second.end(), [&](int input) {
          return input >= node.input_size() || node.input(input).empty() ||
                 IsSteady(index_.Resolve(scope_, node.input(input)), data_);
        });
  }

  bool IsSteady(int value, const std::set<int>& known) const {
    return value >= 0 && (index_.values()[At(value)].scope != scope_ ||
                          known.count(value) > 0);
  }

  const GraphIndex& index_;
  const int scope_;
  std::set<int> shape_;  // steady shapes
  std::set<int> data_;   // steady numbers, and so shapes
};

}  // namespace

std::set<int> SteadyShapes(const GraphIndex& index, int scope) {
  return SteadyValues(index, scope).shapes();
}

}  // namespace onnx_expose
