#ifndef ONNX_EXPOSE_RUNTIME_FEED_NAMES_H_
#define ONNX_EXPOSE_RUNTIME_FEED_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

#include "onnx_expose/feeds.h"

namespace onnx_expose {

// Null if there is no such input.
const InputInfo* InputNamed(const std::vector<InputInfo>& inputs,
                            std::string_view name);

// The input that an option means. Throws Error(kUsage) with what was probably
// meant.
const InputInfo& FindInput(const std::vector<InputInfo>& inputs,
                           std::string_view flag, const std::string& name);

// "did you mean 'x'?", or which inputs there are.
std::string InputHint(const std::vector<InputInfo>& inputs,
                      std::string_view name);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_FEED_NAMES_H_
