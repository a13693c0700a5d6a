#ifndef ONNX_EXPOSE_CLI_VERSION_H_
#define ONNX_EXPOSE_CLI_VERSION_H_

#include <string>

namespace onnx_expose::cli {

// A line for the program, for ONNX, and for the ONNX Runtime that is found.
std::string VersionText();

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_VERSION_H_
