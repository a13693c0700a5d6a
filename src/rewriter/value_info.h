#ifndef ONNX_EXPOSE_REWRITER_VALUE_INFO_H_
#define ONNX_EXPOSE_REWRITER_VALUE_INFO_H_

#include <onnx/onnx_pb.h>

#include <functional>
#include <vector>

#include "rewriter/provenance.h"

namespace onnx_expose {

// Where today's value_info entries stand in the first original; -1 for entries
// that were added since.
std::vector<int> OriginalPositions(const onnx::GraphProto& graph,
                                   const Provenance& record);

// Takes the entries out for which `leaves` is true and records those of the
// original.
void RemoveValueInfo(
    onnx::GraphProto& graph, Provenance& record,
    const std::function<bool(const onnx::ValueInfoProto&)>& leaves);

// The original list again: what was added goes, what was removed or changed
// comes back. False if the record doesn't fit the list.
bool RestoreValueInfo(onnx::GraphProto& graph, const Provenance& record);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_VALUE_INFO_H_
