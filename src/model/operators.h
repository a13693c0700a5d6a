#ifndef ONNX_EXPOSE_MODEL_OPERATORS_H_
#define ONNX_EXPOSE_MODEL_OPERATORS_H_

#include <onnx/onnx_pb.h>

#include "onnx_expose/graph_index.h"

namespace onnx_expose {

// Whether the operator draws random numbers, so that its outputs are no
// constants whatever it reads.
bool IsRandom(const onnx::NodeProto& node);

// Whether another run, or a copy of the node, would draw other numbers.
bool DrawsUnseeded(const onnx::NodeProto& node);
// The same of any node that runs when the scope runs.
bool DrawsUnseeded(const GraphIndex& index, int scope);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_OPERATORS_H_
