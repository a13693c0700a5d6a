#ifndef ONNX_EXPOSE_MODEL_CONSTANT_VALUES_H_
#define ONNX_EXPOSE_MODEL_CONSTANT_VALUES_H_

#include <vector>

#include "onnx_expose/graph_index.h"

namespace onnx_expose {

// Values that are the same in every run, as indices in GraphIndex::values():
// initializers, and what is computed from nothing else by nodes that draw no
// random numbers. Reads nothing of the index that says so already.
std::vector<int> ConstantValues(const GraphIndex& index);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_CONSTANT_VALUES_H_
