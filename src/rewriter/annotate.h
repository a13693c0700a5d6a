#ifndef ONNX_EXPOSE_REWRITER_ANNOTATE_H_
#define ONNX_EXPOSE_REWRITER_ANNOTATE_H_

#include <onnx/onnx_pb.h>

#include <vector>

#include "onnx_expose/graph_index.h"
#include "onnx_expose/value_types.h"
#include "rewriter/provenance.h"

namespace onnx_expose {

// Writes inferred types to value_info of the main graph, for values that have
// no entry and are no outputs. True if anything was added.
bool AnnotateTypes(onnx::GraphProto& graph, const GraphIndex& index,
                   const ValueTypes& types);

// Adds op, type and shape of these main graph values to the doc_string of
// their nodes, and records what was there.
void AnnotateNodes(onnx::GraphProto& graph, const GraphIndex& index,
                   const ValueTypes& types, const std::vector<int>& values,
                   Provenance& record);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_ANNOTATE_H_
