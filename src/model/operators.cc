#include "model/operators.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "onnx_expose/graph_index.h"

namespace onnx_expose {

bool IsRandom(const onnx::NodeProto& node) {
  static constexpr std::array<std::string_view, 6> kRandom = {
      "RandomNormal",      "RandomNormalLike", "RandomUniform",
      "RandomUniformLike", "Bernoulli",        "Multinomial"};
  return NormalDomain(node.domain()).empty() &&
         std::find(kRandom.begin(), kRandom.end(), node.op_type()) !=
             kRandom.end();
}

}  // namespace onnx_expose
