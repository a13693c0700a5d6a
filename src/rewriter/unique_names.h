#ifndef ONNX_EXPOSE_REWRITER_UNIQUE_NAMES_H_
#define ONNX_EXPOSE_REWRITER_UNIQUE_NAMES_H_

#include <string>
#include <unordered_set>

#include "onnx_expose/graph_index.h"

namespace onnx_expose {

// Names for values that exposing adds: none that any scope of the model has.
class UniqueNames {
 public:
  explicit UniqueNames(const GraphIndex& index);

  // The name itself if nobody has it, else with _1, _2, ... behind it. It is
  // taken from then on.
  std::string Take(const std::string& name);

 private:
  std::unordered_set<std::string> taken_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_UNIQUE_NAMES_H_
