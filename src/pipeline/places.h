#ifndef ONNX_EXPOSE_PIPELINE_PLACES_H_
#define ONNX_EXPOSE_PIPELINE_PLACES_H_

#include <string>
#include <vector>

#include "onnx_expose/dump.h"
#include "onnx_expose/graph_index.h"
#include "onnx_expose/rewriter.h"

namespace onnx_expose {

// A graph output of the debug model and where it is in the model.
struct Place {
  DumpedValue value;
  // Index in GraphIndex::values() of the untouched model; -1 for the values of
  // a function, which each call has of its own.
  int original = -1;
};

// Every graph output of the debug model, each once, in the order in which they
// are computed; what lies inside a node before that node's own outputs.
// `index` is of the untouched model, `debug` of what became of it.
std::vector<Place> PlacesOf(const GraphIndex& index, const GraphIndex& debug,
                            const std::vector<ExposedValue>& added);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_PIPELINE_PLACES_H_
