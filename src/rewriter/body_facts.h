#ifndef ONNX_EXPOSE_REWRITER_BODY_FACTS_H_
#define ONNX_EXPOSE_REWRITER_BODY_FACTS_H_

#include <map>
#include <set>

#include "onnx_expose/graph_index.h"
#include "onnx_expose/value_types.h"

namespace onnx_expose {

// What is known of the values in bodies, before anything is appended there that
// the index knows nothing of.
class BodyFacts {
 public:
  BodyFacts(const GraphIndex& index, const InferOptions& infer);

  const onnx::TypeProto& TypeOf(int value) const {
    return types_.types[static_cast<size_t>(value)];
  }
  // Whether the value has one shape whenever the body runs, as far as the
  // body's node stacks what comes out.
  bool HasSameShape(int scope, int value) const;
  // Whether a Loop, or the Loop of a Scan, makes a sequence of what comes out
  // into this scope: the nearest operator around it, in one of the calls, that
  // runs a body repeatedly.
  bool IsCollected(int scope);

 private:
  const GraphIndex& index_;
  ValueTypes types_;
  ValueTypes proof_;                     // without anybody's word
  std::map<int, std::set<int>> steady_;  // values of Scans, by scope
  std::map<int, bool> collected_;        // by scope
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_BODY_FACTS_H_
