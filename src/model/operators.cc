#include "model/operators.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "model/function_calls.h"

namespace onnx_expose {

bool IsRandom(const onnx::NodeProto& node) {
  static constexpr std::array<std::string_view, 6> kRandom = {
      "RandomNormal",      "RandomNormalLike", "RandomUniform",
      "RandomUniformLike", "Bernoulli",        "Multinomial"};
  return NormalDomain(node.domain()).empty() &&
         std::find(kRandom.begin(), kRandom.end(), node.op_type()) !=
             kRandom.end();
}

bool DrawsUnseeded(const onnx::NodeProto& node) {
  return IsRandom(node) &&
         std::none_of(node.attribute().begin(), node.attribute().end(),
                      [](const auto& a) { return a.name() == "seed"; });
}

bool DrawsUnseeded(const GraphIndex& index, int scope) {
  const std::set<int> scopes = ScopesRunWith(index, scope);
  return std::any_of(
      index.nodes().begin(), index.nodes().end(), [&](const NodeRef& ref) {
        return scopes.count(ref.scope) > 0 && DrawsUnseeded(*ref.node);
      });
}

}  // namespace onnx_expose
