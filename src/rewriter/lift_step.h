#ifndef ONNX_EXPOSE_REWRITER_LIFT_STEP_H_
#define ONNX_EXPOSE_REWRITER_LIFT_STEP_H_

#include <string>

#include "onnx_expose/graph_index.h"
#include "onnx_expose/value_types.h"
#include "rewriter/body_editor.h"

namespace onnx_expose {

// One step out: a value that is defined in a body becomes one more output of
// the node that owns the body.
struct LiftStep {
  const GraphIndex& index;
  BodyEditor& editor;
  int scope;         // the body
  int owner;         // the node that owns it
  std::string name;  // of the value, in the body
  std::string path;  // what it is to be called outside, if that name is free
  onnx::TypeProto type;  // as far as known
  bool same_shape;       // proved the same whenever the body runs
  bool last;             // of a Loop or Scan the last iteration only
  bool collected;        // a Loop or Scan outside makes a sequence of it
};

struct LiftOutcome {
  std::string name;  // outside; empty: it can't be done
  std::string obstacle = {};
  // What inference can't tell about it; empty if it can.
  onnx::TypeProto type = {};
  bool by_loop = false;  // a Loop in place of the Scan could do it
};

// Whether the type is of a tensor and has a number or a symbol for each dim.
bool HasAllDims(const onnx::TypeProto& type);

// The rules of each operator (onnx-facts 5). They change nothing when they
// name an obstacle.
LiftOutcome LiftOutOfIf(const LiftStep& step);
LiftOutcome LiftOutOfLoop(const LiftStep& step);
LiftOutcome LiftOutOfScan(const LiftStep& step);
LiftOutcome LiftOutOfSequenceMap(const LiftStep& step);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_LIFT_STEP_H_
