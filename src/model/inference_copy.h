#ifndef ONNX_EXPOSE_MODEL_INFERENCE_COPY_H_
#define ONNX_EXPOSE_MODEL_INFERENCE_COPY_H_

#include <google/protobuf/arena.h>
#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "model/mutable_scopes.h"
#include "onnx_expose/error.h"
#include "onnx_expose/graph_index.h"
#include "onnx_expose/skeleton.h"

namespace onnx_expose {

// A copy of the model that ONNX shape inference can be let loose on
// (onnx-facts 4): no value_info and no output types, nodes in topological
// order, nothing that makes inference throw, hang or run off the rails.
class InferenceCopy {
 public:
  explicit InferenceCopy(const GraphIndex& index);

  // Infers, keeping what is known so far. What the library throws ends up in
  // warnings().
  void Infer();

  // What is known of a value now; null if nothing. Body and main graph values.
  const onnx::TypeProto* Find(int value) const;

  // Says the type of a value before the next Infer().
  void Set(int value, const onnx::TypeProto& type);

  const Warnings& warnings() const { return warnings_; }

 private:
  void ForgetDeclaredTypes();
  void HideElidedTensors();
  void HideInvalidNodes();
  void SortNodes(const std::vector<MutableScope>& scopes);
  void DropHostileFunctions();
  void AddMissingImports();
  void ReadTypes();

  const GraphIndex& index_;
  google::protobuf::Arena arena_{ModelArena()};
  onnx::ModelProto& model_;
  std::vector<onnx::GraphProto*> graphs_;  // by scope; null for functions
  std::vector<onnx::TypeProto*> found_;    // by value; null: nothing known
  Warnings warnings_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_INFERENCE_COPY_H_
