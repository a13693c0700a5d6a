#ifndef ONNX_EXPOSE_REWRITER_SCAN_LOOP_H_
#define ONNX_EXPOSE_REWRITER_SCAN_LOOP_H_

#include <string>

#include "onnx_expose/graph_index.h"
#include "rewriter/body_editor.h"

namespace onnx_expose {

// A Loop that computes the states of a Scan once more. It can carry what a
// Scan can't: a Scan's states are tensors, and its outputs are stacked.
struct ScanLoop {
  const onnx::GraphProto* body = nullptr;  // null: it can't be done
  std::string obstacle = {};
};

// Appends the Loop of the Scan that owns the body `scope` beside the Scan. Its
// body defines all that the Scan's body defines, under the same names; slices
// of scan inputs are taken by the iteration's number. The Scan stays.
ScanLoop AppendScanLoop(const GraphIndex& index, BodyEditor& editor, int scope);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_SCAN_LOOP_H_
