#ifndef ONNX_EXPOSE_PIPELINE_PROBE_H_
#define ONNX_EXPOSE_PIPELINE_PROBE_H_

#include "onnx_expose/graph_index.h"
#include "onnx_expose/pipeline.h"
#include "onnx_expose/skeleton.h"
#include "onnx_expose/value_types.h"

namespace onnx_expose {

// InferTypes, and if asked for once more with what an ONNX Runtime session says
// about main graph values whose type or rank is open. Nothing is run. When ONNX
// Runtime refuses the model that is a warning, and the types are those found
// without it; Error(kRuntime) when there is none.
ValueTypes InferOrProbeTypes(const Skeleton& model, const GraphIndex& index,
                             const ProbeOptions& probe, InferOptions& infer);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_PIPELINE_PROBE_H_
