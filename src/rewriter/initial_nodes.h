#ifndef ONNX_EXPOSE_REWRITER_INITIAL_NODES_H_
#define ONNX_EXPOSE_REWRITER_INITIAL_NODES_H_

#include <onnx/onnx_pb.h>

namespace onnx_expose {

// What a Loop's new state starts with was appended at the end of the node
// list; the standard wants it in front of the Loop. This puts each added node
// that an earlier node reads directly before that node, in every scope. Not so
// where nodes draw random numbers without a seed: those depend on the position
// in the list, and ONNX Runtime takes nodes in any order.
void MoveInitialNodes(onnx::ModelProto& model);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_INITIAL_NODES_H_
