#ifndef ONNX_EXPOSE_MODEL_OUTER_CONSTANTS_H_
#define ONNX_EXPOSE_MODEL_OUTER_CONSTANTS_H_

#include <vector>

#include "model/mutable_scopes.h"
#include "onnx_expose/graph_index.h"

namespace onnx_expose {

// Gives each body the small constants that its nodes read from outside as
// initializers of its own. ONNX's inference tells bodies the types of outer
// values but not their numbers, such as the axes of an Unsqueeze; ONNX Runtime
// knows them. Only for a copy that is inferred and thrown away. `scopes` are
// those of the copy, after elided tensors were marked.
void BringConstantsIn(const GraphIndex& index,
                      const std::vector<MutableScope>& scopes);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_OUTER_CONSTANTS_H_
