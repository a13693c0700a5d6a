#ifndef ONNX_EXPOSE_CLI_MODEL_ROWS_H_
#define ONNX_EXPOSE_CLI_MODEL_ROWS_H_

#include <vector>

#include "onnx_expose/graph_index.h"
#include "onnx_expose/skeleton.h"
#include "onnx_expose/value_types.h"
#include "report/model_summary.h"
#include "report/value_rows.h"

namespace onnx_expose::cli {

// Indices in index.values() of all that a list without a selection shows:
// inputs of the main graph, then node outputs of every scope.
std::vector<int> AllValues(const GraphIndex& index);

// The values as a list shows them. `values`: indices in index.values().
std::vector<ValueRow> RowsOf(const GraphIndex& index, const ValueTypes& types,
                             const std::vector<int>& values);

ModelSummary Summarize(const Skeleton& model, const GraphIndex& index);

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_MODEL_ROWS_H_
