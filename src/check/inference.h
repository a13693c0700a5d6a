#ifndef ONNX_EXPOSE_CHECK_INFERENCE_H_
#define ONNX_EXPOSE_CHECK_INFERENCE_H_

#include <onnx/defs/schema.h>

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "check/frame.h"
#include "check/inference_guard.h"
#include "check/node_context.h"
#include "check/rules.h"

namespace onnx_expose {

// What was wrong in a body or a call is reported there; its node has no types.
struct InnerFailure : std::exception {};

struct OverBudget : std::exception {
  explicit OverBudget(std::string why_in) : why(std::move(why_in)) {}
  std::string why;
};

// Strict type and shape inference as the checker's full check does it, node by
// node with the library's operators, but with these differences: every finding
// is named and none ends the walk; what is declared is compared with what is
// inferred, and the latter goes on; nodes are taken in topological order;
// nothing is copied; and there is a budget, since calls of functions are
// inlined.
class Inference {
 public:
  explicit Inference(Subject& subject);

  void Run();

 private:
  class Body;

  void Walk(Frame& frame);
  void WalkNode(Frame& frame, int node);
  void InferNode(Frame& frame, int node, const onnx::OpSchema* schema,
                 NodeContext& context);
  void Call(Frame& frame, int node, int callee, NodeContext& context);

  void Enter(Frame& frame);
  void AddInitializers(Frame& frame, const onnx::GraphProto& graph);
  void AddInitializer(Frame& frame, const std::string& name,
                      onnx::TypeProto type);
  void RememberConstant(Frame& frame, const onnx::NodeProto& node,
                        const NodeContext& context);

  // Takes what inference says of a node's outputs, and what is declared.
  void Settle(Frame& frame, int node, std::vector<onnx::TypeProto>& outputs);
  void SettleValue(Frame& frame, const std::string& name, onnx::TypeProto& type,
                   int node);
  // Whether a declared type may fill in what inference leaves open.
  bool FitsDeclared(Frame& frame, const char* kind, const std::string& name,
                    const onnx::TypeProto& declared,
                    const onnx::TypeProto& truth, int node);
  void Fail(Frame& frame, int node, const std::string& what);

  const onnx::OpSchema* FindSchema(int root, const onnx::NodeProto& node,
                                   int version);
  bool IsReadable(const onnx::TensorProto& tensor) const;
  bool HasUnreadAttributes(const onnx::NodeProto& node) const;

  Subject& subject_;
  SymbolSet symbols_;  // of the main graph's inputs
  uint64_t steps_ = 0;
  std::map<std::string, const onnx::OpSchema*> schemas_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_CHECK_INFERENCE_H_
