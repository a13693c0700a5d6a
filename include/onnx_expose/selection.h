#ifndef ONNX_EXPOSE_SELECTION_H_
#define ONNX_EXPOSE_SELECTION_H_

#include <vector>

#include "onnx_expose/error.h"

namespace onnx_expose {

// What the selector hands to the rewriter.
struct Selection {
  // Indices in GraphIndex::values(), ascending, each once; node outputs only.
  // Values that are outputs already are among them.
  std::vector<int> values;
  Warnings warnings;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SELECTION_H_
