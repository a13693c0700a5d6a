#ifndef ONNX_EXPOSE_RUNTIME_INPUT_INFOS_H_
#define ONNX_EXPOSE_RUNTIME_INPUT_INFOS_H_

#include <string>
#include <vector>

#include "onnx_expose/feeds.h"
#include "runtime/ort.h"

namespace onnx_expose {

// What the model wants to be fed, overridable initializers last.
std::vector<InputInfo> InputInfos(const Ort::Session& session);

// A type as TypeText writes it: "float[N,3,224,224]", "seq(float)".
std::string RuntimeTypeText(const Ort::ConstTypeInfo& type);
std::string RuntimeTypeText(const Ort::TypeInfo& type);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_INPUT_INFOS_H_
