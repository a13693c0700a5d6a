#ifndef ONNX_EXPOSE_MODEL_MUTABLE_SCOPES_H_
#define ONNX_EXPOSE_MODEL_MUTABLE_SCOPES_H_

#include <onnx/onnx_pb.h>

#include <vector>

#include "onnx_expose/graph_index.h"

namespace onnx_expose {

struct MutableScope {
  // One of the two is set.
  onnx::GraphProto* graph = nullptr;
  onnx::FunctionProto* function = nullptr;
  bool in_function = false;

  google::protobuf::RepeatedPtrField<onnx::NodeProto>* nodes() const {
    return graph != nullptr ? graph->mutable_node() : function->mutable_node();
  }
};

// The scopes of `index`, by number, in `model`: the indexed model itself or a
// copy of it. Pointers stay good while nodes are only appended.
std::vector<MutableScope> MutableScopes(const GraphIndex& index,
                                        onnx::ModelProto& model);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_MUTABLE_SCOPES_H_
