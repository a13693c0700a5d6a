#ifndef ONNX_EXPOSE_REWRITER_ADDED_OUTPUT_H_
#define ONNX_EXPOSE_REWRITER_ADDED_OUTPUT_H_

#include <onnx/onnx_pb.h>

#include <string>

#include "onnx_expose/graph_index.h"
#include "onnx_expose/rewriter.h"

namespace onnx_expose {

// How much of a type a graph output can say.
enum class TypeState { kComplete, kRankUnknown, kUnknown };

// A sequence or optional is complete without the rank of what it holds: that is
// all the ONNX checker asks for (onnx-facts 1.5).
TypeState StateOf(const onnx::TypeProto& type);

// "onnx-expose: Conv '/layer1/conv' output 0".
std::string OutputDoc(const GraphIndex& index, const Value& value);

// What the value is and where it comes from; its output name and type are open.
ExposedValue Origin(const GraphIndex& index, const Value& value);

// Appends a graph output of this name, type as far as known. Returns the name
// in the graph.
const std::string& AppendOutput(onnx::GraphProto& graph,
                                const std::string& name,
                                const onnx::TypeProto& type,
                                const std::string& doc);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_ADDED_OUTPUT_H_
