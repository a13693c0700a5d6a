#include "cli/version.h"

#include <fmt/format.h>
#include <onnx/common/version.h>

#include "cli/runtime_options.h"
#include "onnx_expose/error.h"
#include "onnx_expose/runtime.h"
#include "support/text.h"

namespace onnx_expose::cli {
namespace {

std::string RuntimeText() {
  try {
    const Runtime runtime(RuntimeCandidates());
    return fmt::format("ONNX Runtime {} ({})", runtime.version(),
                       Printable(runtime.path()));
  } catch (const Error& error) {
    return "ONNX Runtime: " + error.message().what;
  }
}

}  // namespace

std::string VersionText() {
  return fmt::format("onnx-expose {}\nONNX {}\n{}\n", ONNX_EXPOSE_VERSION,
                     onnx::LAST_RELEASE_VERSION, RuntimeText());
}

}  // namespace onnx_expose::cli
