#ifndef ONNX_EXPOSE_PIPELINE_VERSION_FOLDER_H_
#define ONNX_EXPOSE_PIPELINE_VERSION_FOLDER_H_

#include <string>

namespace onnx_expose {

// Makes the folder base/v1, or v2, ... behind those that are there, and says
// which. Makes `base` too. Two processes never get the same one.
std::string NewVersionFolder(const std::string& base);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_PIPELINE_VERSION_FOLDER_H_
