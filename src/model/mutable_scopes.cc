#include "model/mutable_scopes.h"

#include <map>
#include <string_view>
#include <utility>

namespace onnx_expose {
namespace {

// The `number`-th graph among the attributes of this name.
onnx::GraphProto* FindBody(onnx::NodeProto& node, std::string_view name,
                           int number) {
  for (auto& attribute : *node.mutable_attribute()) {
    if (attribute.name() != name) continue;
    if (attribute.has_g() && number-- == 0) return attribute.mutable_g();
    for (auto& graph : *attribute.mutable_graphs()) {
      if (number-- == 0) return &graph;
    }
  }
  return nullptr;
}

}  // namespace

std::vector<MutableScope> MutableScopes(const GraphIndex& index,
                                        onnx::ModelProto& model) {
  const auto& scopes = index.scopes();
  std::vector<MutableScope> found(scopes.size());
  // How many bodies of the same owner and attribute came before.
  std::map<std::pair<int, std::string_view>, int> seen;
  int functions = 0;
  for (size_t i = 0; i < scopes.size(); ++i) {
    const Scope& scope = scopes[i];
    switch (scope.kind) {
      case Scope::Kind::kMain:
        found[i].graph = model.mutable_graph();
        break;
      case Scope::Kind::kFunction:
        found[i].function = model.mutable_functions(functions++);
        found[i].in_function = true;
        break;
      case Scope::Kind::kBody: {
        const MutableScope& outer = found[static_cast<size_t>(scope.parent)];
        const int owner = index.nodes()[static_cast<size_t>(scope.owner)].index;
        found[i].in_function = outer.in_function;
        found[i].graph =
            FindBody(*outer.nodes()->Mutable(owner), scope.attribute,
                     seen[{scope.owner, scope.attribute}]++);
        break;
      }
    }
  }
  return found;
}

}  // namespace onnx_expose
