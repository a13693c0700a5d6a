#ifndef ONNX_EXPOSE_REWRITER_BRING_OUT_H_
#define ONNX_EXPOSE_REWRITER_BRING_OUT_H_

#include <onnx/onnx_pb.h>

#include <string>

#include "rewriter/lift_step.h"

namespace onnx_expose {

// What the rules of lift_step.h have in common.

// From this opset on a Loop carries sequences.
inline constexpr int kLoopOfSequences = 13;

// The opset the body is written in, and the scope of the node that owns it.
int Opset(const LiftStep& step);
int OwnerScope(const LiftStep& step);

bool IsTensorSequence(const onnx::TypeProto& type);
onnx::TypeProto SequenceOf(const onnx::TypeProto& element);
// Of that rank, and nothing known of the dims.
onnx::TypeProto AnyShape(onnx::TypeProto type);

// Why no empty value of the type can stand in where it isn't computed; empty
// if one can.
std::string EmptyObstacle(const onnx::TypeProto& type, int opset);

// Why the body can't list the value (once more); empty if it can. A body that
// lists one value twice gives wrong results in ONNX Runtime, and before opset
// 14 there is no way to copy a sequence.
std::string ListObstacle(const LiftStep& step);

// Adds the value to the body's outputs. Its type can be inferred, but not
// beside an entry in value_info: inference would leave the output without one.
onnx::ValueInfoProto& BringOut(const LiftStep& step, int position = -1);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_BRING_OUT_H_
