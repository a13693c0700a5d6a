#include "model/tensors.h"

#include <google/protobuf/unknown_field_set.h>

#include <string>
#include <type_traits>

#include "support/file.h"

namespace onnx_expose {
namespace {

// One walk for models that may be changed and for those that may not.
template <typename Model>
class TensorWalk {
  template <typename Message>
  using Ref =
      std::conditional_t<std::is_const_v<Model>, const Message&, Message&>;

 public:
  using Visit = std::function<void(Ref<onnx::TensorProto>)>;

  explicit TensorWalk(const Visit& visit, bool sparse_indices = true)
      : visit_(visit), sparse_indices_(sparse_indices) {}

  void Walk(Model& model) {
    if (model.has_graph()) Graph(Graph_(model));
    for (auto& training : Training(model)) {
      if (training.has_initialization()) Graph(Initialization(training));
      if (training.has_algorithm()) Graph(Algorithm(training));
    }
    for (auto& function : Functions(model)) {
      for (auto& node : Nodes(function)) Node(node);
      for (auto& attribute : AttributeProtos(function)) Attribute(attribute);
    }
  }

 private:
// Protobuf spells reading and changing differently.
#define ONNX_EXPOSE_PART(Name, part)             \
  template <typename Message>                    \
  static decltype(auto) Name(Message& message) { \
    if constexpr (std::is_const_v<Model>) {      \
      return (message.part());                   \
    } else {                                     \
      return (*message.mutable_##part());        \
    }                                            \
  }
  ONNX_EXPOSE_PART(Graph_, graph)
  ONNX_EXPOSE_PART(Training, training_info)
  ONNX_EXPOSE_PART(Initialization, initialization)
  ONNX_EXPOSE_PART(Algorithm, algorithm)
  ONNX_EXPOSE_PART(Functions, functions)
  ONNX_EXPOSE_PART(Nodes, node)
  ONNX_EXPOSE_PART(AttributeProtos, attribute_proto)
  ONNX_EXPOSE_PART(Attributes, attribute)
  ONNX_EXPOSE_PART(Initializers, initializer)
  ONNX_EXPOSE_PART(SparseInitializers, sparse_initializer)
  ONNX_EXPOSE_PART(Values, values)
  ONNX_EXPOSE_PART(Indices, indices)
  ONNX_EXPOSE_PART(T, t)
  ONNX_EXPOSE_PART(G, g)
  ONNX_EXPOSE_PART(Sparse_, sparse_tensor)
  ONNX_EXPOSE_PART(Tensors, tensors)
  ONNX_EXPOSE_PART(Graphs, graphs)
  ONNX_EXPOSE_PART(SparseTensors, sparse_tensors)
#undef ONNX_EXPOSE_PART

  void Graph(Ref<onnx::GraphProto> graph) {
    for (auto& node : Nodes(graph)) Node(node);
    for (auto& tensor : Initializers(graph)) visit_(tensor);
    for (auto& tensor : SparseInitializers(graph)) Sparse(tensor);
  }

  void Node(Ref<onnx::NodeProto> node) {
    for (auto& attribute : Attributes(node)) Attribute(attribute);
  }

  void Attribute(Ref<onnx::AttributeProto> attribute) {
    if (attribute.has_t()) visit_(T(attribute));
    if (attribute.has_g()) Graph(G(attribute));
    if (attribute.has_sparse_tensor()) Sparse(Sparse_(attribute));
    for (auto& tensor : Tensors(attribute)) visit_(tensor);
    for (auto& graph : Graphs(attribute)) Graph(graph);
    for (auto& tensor : SparseTensors(attribute)) Sparse(tensor);
  }

  void Sparse(Ref<onnx::SparseTensorProto> sparse) {
    if (sparse.has_values()) visit_(Values(sparse));
    if (sparse.has_indices() && sparse_indices_) visit_(Indices(sparse));
  }

  const Visit& visit_;
  const bool sparse_indices_;
};

}  // namespace

void ForEachTensor(const onnx::ModelProto& model,
                   const std::function<void(const onnx::TensorProto&)>& visit) {
  TensorWalk<const onnx::ModelProto>(visit).Walk(model);
}

void ForEachTensor(onnx::ModelProto& model,
                   const std::function<void(onnx::TensorProto&)>& visit) {
  TensorWalk<onnx::ModelProto>(visit).Walk(model);
}

void ForEachMovableTensor(
    onnx::ModelProto& model,
    const std::function<void(onnx::TensorProto&)>& visit) {
  TensorWalk<onnx::ModelProto>(visit, /*sparse_indices=*/false).Walk(model);
}

bool IsElided(const google::protobuf::Message& message) {
  const auto& fields = message.GetReflection()->GetUnknownFields(message);
  for (int i = 0; i < fields.field_count(); ++i) {
    if (fields.field(i).number() == kPayloadField) return true;
  }
  return false;
}

std::string ExternalEntry(const onnx::TensorProto& tensor,
                          const std::string& key) {
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == key) return entry.value();
  }
  return "";
}

std::string DataFolder(const Skeleton& model) {
  const std::string& path = model.source->path();
  if (model.source->is_stdin()) return ".";
  return FolderOf(IsLink(path) ? RealPath(path) : path);
}

}  // namespace onnx_expose
