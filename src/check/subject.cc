#include "check/rules.h"

namespace onnx_expose {

Subject::Subject(const Skeleton& model_in, const GraphIndex& index_in)
    : skeleton(model_in),
      model(model_in.proto),
      index(index_in),
      places(index_in),
      nodes(index_in.scopes().size()),
      root(index_in.scopes().size()),
      imports_of_root(index_in.scopes().size()),
      sound(index_in.nodes().size(), false) {
  for (size_t i = 0; i < index.nodes().size(); ++i) {
    nodes[static_cast<size_t>(index.nodes()[i].scope)].push_back(
        static_cast<int>(i));
  }
  // A body comes after the scope around it.
  for (size_t i = 0; i < root.size(); ++i) {
    const int parent = index.scopes()[i].parent;
    root[i] =
        parent < 0 ? static_cast<int>(i) : root[static_cast<size_t>(parent)];
  }
}

}  // namespace onnx_expose
