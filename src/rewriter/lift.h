#ifndef ONNX_EXPOSE_REWRITER_LIFT_H_
#define ONNX_EXPOSE_REWRITER_LIFT_H_

#include <string>
#include <vector>

#include "onnx_expose/rewriter.h"
#include "rewriter/provenance.h"

namespace onnx_expose {

// A value of a body or function that was brought out: one of the main graph
// now. A function's value comes out once for each call.
struct LiftedValue {
  int value = -1;  // index in GraphIndex::values() of the model as it was
  std::string name;
  onnx::TypeProto type;  // if inference can't tell
  // Where it belongs among all values: by node, what lies inside a node before
  // the node's own outputs. Compare lexicographically with OrderOf().
  std::vector<int> order;
};

struct LiftResult {
  std::vector<LiftedValue> lifted;
  std::vector<SkippedValue> skipped;
  // Values that an earlier expose brought out.
  std::vector<std::string> already;
  // Functions whose calls and Scans that are computed once more, and why.
  Warnings warnings;
};

// Brings values out of If, Loop, Scan and SequenceMap bodies and of model-local
// functions, level by level (onnx-facts 5):
//   If         one more output of both branches and the node; the branch that
//              doesn't compute the value gives an empty tensor or sequence
//   Loop       stacked over iterations where the same shape in each is proved,
//              else carried as a sequence (opset 13 on)
//   Scan       stacked where the same shape in each is proved and the rank
//              known, else out of a Loop beside it (opset 13 on)
//   SequenceMap  a sequence
//   function   one more output of the function and of each call; where that
//              can't be, a copy of the function's nodes beside each call
// Under a Loop or Scan an If gives a sequence of one value or none instead.
// With `last` a Loop or Scan gives the last iteration's value. Values that
// can't be brought out are skipped, and the model is as if they had not been
// asked for. `record` learns what strip must put back. Throws Error(kInput)
// when functions call themselves.
LiftResult LiftValues(Skeleton& model, const std::vector<int>& values,
                      const InferOptions& infer, bool last, Provenance& record);

// Of a main graph value, to compare with LiftedValue::order.
std::vector<int> OrderOf(int node_index, int output);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_LIFT_H_
