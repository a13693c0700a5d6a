#ifndef ONNX_EXPOSE_PIPELINE_RUN_NOTES_H_
#define ONNX_EXPOSE_PIPELINE_RUN_NOTES_H_

#include <string>
#include <vector>

#include "onnx_expose/error.h"
#include "onnx_expose/graph_index.h"
#include "onnx_expose/value_types.h"

namespace onnx_expose {

// Whether the model computes in float16 anywhere.
bool ComputesInFloat16(const ValueTypes& types);

// "RandomNormal 'noise'" for each node that gives other numbers on each run.
std::vector<std::string> RandomNodes(const GraphIndex& index);

// What a reader of the numbers must know about where they come from.
Warnings RunNotes(const GraphIndex& index, const ValueTypes& types,
                  const std::string& provider);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_PIPELINE_RUN_NOTES_H_
