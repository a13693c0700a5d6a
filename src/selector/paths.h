#ifndef ONNX_EXPOSE_SELECTOR_PATHS_H_
#define ONNX_EXPOSE_SELECTOR_PATHS_H_

#include <string_view>
#include <vector>

#include "onnx_expose/graph_index.h"
#include "selector/marks.h"

namespace onnx_expose {

// The values of the main graph that --between means by `name`: the value of
// this name (an input or initializer as well), or else all outputs of the
// nodes of this name. Empty if there is neither.
std::vector<int> PathEnd(const GraphIndex& index, std::string_view name);

// The values, by index in values(), that lie on a path from one of `from` to
// one of `to`, ends included; a path leads through nodes from what they read
// to what they write, in linear time also where the graph has cycles.
//
// In a body of a node on the path (or a function that such a node calls) a
// value counts if a path inside leads to it from an input of the body, or from
// a captured value that lies behind `from`, and on to an output of the body.
// Which input of the node feeds which input of the body isn't followed.
Marks ValuesBetween(const GraphIndex& index, const std::vector<int>& from,
                    const std::vector<int>& to);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SELECTOR_PATHS_H_
