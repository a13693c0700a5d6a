#ifndef ONNX_EXPOSE_REWRITER_SUFFIX_H_
#define ONNX_EXPOSE_REWRITER_SUFFIX_H_

#include <onnx/onnx_pb.h>

#include <string>
#include <unordered_set>

#include "onnx_expose/graph_index.h"

namespace onnx_expose {

// Names of copies (--suffix): Identity(a) -> a_debug at the end of the node
// list, where it moves no random number (models do count on that).
class SuffixCopies {
 public:
  SuffixCopies(const GraphIndex& index, std::string suffix);

  // Whether the value has its copy already, or is one.
  bool IsCopied(const Value& value) const;

  // Why Identity can't copy a value of this type at the model's opset; empty
  // if it can.
  std::string Obstacle(const onnx::TypeProto& type) const;

  // Appends the copy and returns its name. Throws Error(kRefused) when the name
  // is taken in any scope.
  std::string Append(const Value& value, onnx::GraphProto& graph);

 private:
  const GraphIndex& index_;
  std::string suffix_;
  std::unordered_set<std::string> node_names_;
  std::unordered_set<std::string> taken_;  // by copies made so far
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_SUFFIX_H_
