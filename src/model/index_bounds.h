#ifndef ONNX_EXPOSE_MODEL_INDEX_BOUNDS_H_
#define ONNX_EXPOSE_MODEL_INDEX_BOUNDS_H_

#include <cstdint>
#include <map>
#include <string>

#include "onnx_expose/graph_index.h"
#include "onnx_expose/value_types.h"

namespace onnx_expose {

// For each graph input of integers that are positions in something of known
// size (token ids and the rows of their table): that size, the smallest if
// there are several. Seen through operators that leave the numbers alone.
std::map<std::string, int64_t> IndexBounds(const GraphIndex& index,
                                           const ValueTypes& types);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_INDEX_BOUNDS_H_
