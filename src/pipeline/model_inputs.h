#ifndef ONNX_EXPOSE_PIPELINE_MODEL_INPUTS_H_
#define ONNX_EXPOSE_PIPELINE_MODEL_INPUTS_H_

#include <vector>

#include "onnx_expose/feeds.h"
#include "onnx_expose/graph_index.h"
#include "onnx_expose/value_types.h"

namespace onnx_expose {

// What the model wants to be fed, in its order. Initializers that are inputs as
// well have a default from IR version 4 on; before that they can't be fed.
std::vector<InputInfo> ModelInputs(const GraphIndex& index,
                                   const ValueTypes& types);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_PIPELINE_MODEL_INPUTS_H_
