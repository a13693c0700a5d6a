#ifndef ONNX_EXPOSE_PIPELINE_NODE_TIMES_H_
#define ONNX_EXPOSE_PIPELINE_NODE_TIMES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "onnx_expose/bench.h"

namespace onnx_expose {

// What a profile of ONNX Runtime says about `runs` runs, the greatest time
// first. Throws Error(kRuntime) if the file isn't one.
std::vector<NodeTime> NodeTimes(const std::string& profile, size_t runs);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_PIPELINE_NODE_TIMES_H_
