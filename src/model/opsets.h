#ifndef ONNX_EXPOSE_MODEL_OPSETS_H_
#define ONNX_EXPOSE_MODEL_OPSETS_H_

#include "onnx_expose/graph_index.h"

namespace onnx_expose {

// The version of the default domain that nodes of this scope are written in:
// the model's, or in a function and its bodies the function's. 0 if it isn't
// imported.
int DefaultOpset(const GraphIndex& index, int scope);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_OPSETS_H_
