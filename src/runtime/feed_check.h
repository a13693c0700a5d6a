#ifndef ONNX_EXPOSE_RUNTIME_FEED_CHECK_H_
#define ONNX_EXPOSE_RUNTIME_FEED_CHECK_H_

#include <string>
#include <vector>

#include "onnx_expose/feeds.h"

namespace onnx_expose {

// Whether `data` is what the input wants: kind, element type, rank, fixed dims.
// Raw bits become elements where npy has no type for them: uint16 for bfloat16,
// uint8 for 8-bit floats, one uint8 or int8 an element for types of 6, 4 and 2
// bits. Throws Error(kInput) about `source`.
void CheckFeed(const InputInfo& input, const std::string& source, Data& data);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_FEED_CHECK_H_
