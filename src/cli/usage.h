#ifndef ONNX_EXPOSE_CLI_USAGE_H_
#define ONNX_EXPOSE_CLI_USAGE_H_

#include <string>
#include <utility>

#include "onnx_expose/error.h"

namespace onnx_expose::cli {

// A command line that can't be understood.
inline Error Usage(std::string what, std::string hint = "") {
  return Error(ExitCode::kUsage, "", {std::move(what), "", std::move(hint)});
}

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_USAGE_H_
