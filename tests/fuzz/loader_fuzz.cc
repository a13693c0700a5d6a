// Any bytes through the whole pipeline and back: load, infer, expose all,
// write, load again, strip.
#include <google/protobuf/stubs/logging.h>

#include <cstdlib>

#include "onnx_expose/error.h"
#include "onnx_expose/graph_index.h"
#include "onnx_expose/rewriter.h"
#include "onnx_expose/selector.h"
#include "onnx_expose/value_types.h"
#include "onnx_expose/writer.h"
#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

std::string ExposeAll(Skeleton model, const ExposeOptions& options) {
  const GraphIndex index(model.proto);
  const ValueTypes types = InferTypes(index, {});
  SelectorOptions select;
  select.all = select.include_constants = select.allow_empty = true;
  const Selection selection = SelectValues(index, types, select);
  ExposeOutputs(model, index, types, selection, options);
  WriteModel(model, "/dev/null", {});
  return Written(model);
}

void Run(std::string_view bytes) {
  ExposeOptions options;
  if (bytes.size() % 4 == 1) options.suffix = "_debug";
  if (bytes.size() % 4 == 2) options.annotate = true;
  try {
    const std::string debug = ExposeAll(Load(bytes), options);
    // What was written can be read, and exposing again adds nothing.
    if (ExposeAll(Load(debug), options) != debug) std::abort();
    Skeleton stripped = Load(debug);
    StripOutputs(stripped, /*allow_empty=*/true);
    const Skeleton original = Load(bytes);
    if (!original.from_text && Bytes(stripped.proto) != Bytes(original.proto)) {
      std::abort();
    }
  } catch (const Error&) {
  }
}

}  // namespace
}  // namespace onnx_expose::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  google::protobuf::SetLogHandler(nullptr);
  onnx_expose::testing::Run({reinterpret_cast<const char*>(data), size});
  return 0;
}
