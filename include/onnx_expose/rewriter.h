#ifndef ONNX_EXPOSE_REWRITER_H_
#define ONNX_EXPOSE_REWRITER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "onnx_expose/error.h"
#include "onnx_expose/graph_index.h"
#include "onnx_expose/selection.h"
#include "onnx_expose/skeleton.h"
#include "onnx_expose/value_types.h"

namespace onnx_expose {

struct DimOptions {
  std::vector<std::pair<std::string, int64_t>> dims;  // --dim N=2
  // --shape x=1,3,224,224
  std::vector<std::pair<std::string, std::vector<int64_t>>> shapes;
};

// Makes symbolic dims of graph inputs concrete; a symbol is replaced wherever
// graph inputs, graph outputs and value_info name it. Recorded, so that
// StripOutputs puts it back (unless `provenance` is off). Throws
// Error(kRefused) for an unknown symbol or input, another rank, or a fixed dim
// that differs; Error(kUsage) for a size below 0.
void FixDims(Skeleton& model, const DimOptions& options, bool provenance);

// Compares what inference finds before FixDims and behind it (the values of
// both are the same). Throws Error(kRefused), naming the value, where the sizes
// contradict each other or what the model declares.
void RefuseContradiction(const Skeleton& model, const GraphIndex& index,
                         const ValueTypes& before, const ValueTypes& after);

enum class Untyped { kKeep, kSkip, kError };

struct ExposeOptions {
  std::string suffix;  // not empty: expose Identity(a) -> a<suffix> instead
  Untyped untyped = Untyped::kKeep;
  bool annotate = false;
  bool provenance = true;
  // Values of Loop and Scan bodies: the last iteration's only (--deep=last).
  bool last = false;
  // How the types of values that come out of bodies and functions are found.
  InferOptions infer;
};

struct ExposedValue {
  std::string name;  // of the graph output
  std::string value;
  std::string scope;  // "" = main graph
  std::string op_type;
  std::string domain;
  std::string node;  // name; may be empty
  int output = 0;    // position in the node's output list
  std::string type;  // TypeText
};

struct SkippedValue {
  std::string name;
  std::string reason;
};

struct ExposeReport {
  std::vector<ExposedValue> added;
  std::vector<SkippedValue> skipped;
  std::vector<std::string> already_outputs;
  Warnings warnings;
};

// Appends the selected values to graph.output (design 1.2, 1.3): original
// outputs first and unchanged, then the new ones in node order with element
// type and shape as far as known; each leaves value_info; its doc_string says
// where it comes from; metadata_props records what StripOutputs needs. Selected
// values of bodies and functions are brought out under names that say the scope
// ("if_12/then_branch/relu_out"). The index and everything else made from
// `model` before is invalid afterwards.
//
// Throws Error(kInput) when an existing graph output is defined by nobody,
// Error(kRefused) for --untyped error and a suffix that clashes.
ExposeReport ExposeOutputs(Skeleton& model, const GraphIndex& index,
                           const ValueTypes& types, const Selection& selection,
                           const ExposeOptions& options);

struct StripReport {
  std::vector<std::string> removed;
  Warnings warnings;  // what could not be restored
};

// Undoes ExposeOutputs and FixDims, back to the first original. Throws
// Error(kRefused) when there is nothing to undo, unless `allow_empty`.
StripReport StripOutputs(Skeleton& model, bool allow_empty);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_H_
