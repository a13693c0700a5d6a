#ifndef ONNX_EXPOSE_CHECK_H_
#define ONNX_EXPOSE_CHECK_H_

#include <string>
#include <vector>

#include "onnx_expose/skeleton.h"

namespace onnx_expose {

struct Finding {
  // What the standard or ONNX Runtime refuses is an error; what is merely
  // newer than this program or smells (stale value_info, wrong declared dims)
  // a warning.
  enum class Level { kError, kWarning };
  Level level = Level::kError;
  // Where: "node 'conv1' (Conv)", "output 'y'", "model"; with the scope's path
  // in front when it isn't the main graph.
  std::string place;
  std::string what;
  std::string note;  // what ONNX Runtime does differently, if known
  // A warning that the ONNX checker's full check refuses all the same, as it
  // does a wrong declared dim or an IR version newer than itself.
  bool checker_refuses = false;
};

// Everything wrong with the model: the ONNX checker (full: with strict shape
// inference) node by node, and our own rules where the checker is silent,
// stops at the first finding or reads whole files. All findings, in the order
// model, graph, nodes. Works on skeletons of models over 2 GiB, and looks at
// external data files (existence, range, escape) without reading them.
std::vector<Finding> CheckModel(const Skeleton& model);

// Whether --strict refuses a model with this finding: it is an error, or a
// warning that fails the ONNX checker.
bool IsRefused(const Finding& finding);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_CHECK_H_
