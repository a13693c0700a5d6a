#include "model/outer_constants.h"

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "model/tensors.h"
#include "onnx_expose/skeleton.h"
#include "support/at.h"

namespace onnx_expose {
namespace {

// Axes, shapes, sizes of parts: no node needs more of them.
constexpr uint64_t kMostBytes = 8192;

std::optional<onnx::TensorProto> Small(const onnx::TensorProto& tensor) {
  if (IsElided(tensor) || IsExternal(tensor) ||
      TensorBytes(tensor).value_or(kMostBytes + 1) > kMostBytes) {
    return std::nullopt;
  }
  return tensor;
}

std::optional<onnx::TensorProto> OfConstant(const onnx::NodeProto& node) {
  if (node.op_type() != "Constant" || !NormalDomain(node.domain()).empty()) {
    return std::nullopt;
  }
  onnx::TensorProto tensor;
  tensor.set_data_type(onnx::TensorProto::INT64);
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.has_t()) return Small(attribute.t());
    if (attribute.name() == "value_int") {
      tensor.add_int64_data(attribute.i());
      return tensor;
    }
    if (attribute.name() == "value_ints" && !IsElided(attribute)) {
      tensor.add_dims(attribute.ints_size());
      *tensor.mutable_int64_data() = attribute.ints();
      return Small(tensor);
    }
  }
  return std::nullopt;
}

class OuterConstants {
 public:
  OuterConstants(const GraphIndex& index,
                 const std::vector<MutableScope>& scopes)
      : index_(index), scopes_(scopes) {}

  void BringInto(int scope, int value) {
    const Value& outer = index_.values()[At(value)];
    std::optional<onnx::TensorProto> tensor = Find(outer);
    if (!tensor) return;
    tensor->set_name(std::string(outer.name));
    *scopes_[At(scope)].graph->add_initializer() = std::move(*tensor);
  }

 private:
  std::optional<onnx::TensorProto> Find(const Value& value) const {
    const MutableScope& home = scopes_[At(value.scope)];
    if (value.kind == Value::Kind::kNodeOutput) {
      return OfConstant(*index_.nodes()[At(value.node)].node);
    }
    if (value.kind != Value::Kind::kInitializer || home.graph == nullptr) {
      return std::nullopt;
    }
    for (const auto& tensor : home.graph->initializer()) {
      if (tensor.name() == value.name) return Small(tensor);
    }
    return std::nullopt;
  }

  const GraphIndex& index_;
  const std::vector<MutableScope>& scopes_;
};

}  // namespace

void BringConstantsIn(const GraphIndex& index,
                      const std::vector<MutableScope>& scopes) {
  OuterConstants constants(index, scopes);
  std::set<std::pair<int, int>> brought;
  for (int i = 0; i < static_cast<int>(index.nodes().size()); ++i) {
    const int scope = index.nodes()[At(i)].scope;
    if (index.scopes()[At(scope)].kind != Scope::Kind::kBody) continue;
    for (const auto& name : index.nodes()[At(i)].node->input()) {
      const int value = index.Resolve(scope, name);
      if (value < 0 || index.values()[At(value)].scope == scope) continue;
      if (!index.values()[At(value)].constant) continue;
      if (brought.emplace(scope, value).second) {
        constants.BringInto(scope, value);
      }
    }
  }
}

}  // namespace onnx_expose
