// Any bytes, as a message of every kind: they are refused, or what is read
// stays the same when it is written and read again.
#include <google/protobuf/stubs/logging.h>

#include <cstdlib>

#include "onnx_expose/statistics.h"
#include "tensor/format_error.h"
#include "tensor/pb.h"
#include "tests/support/tensors.h"

namespace onnx_expose::testing {
namespace {

void Run(std::string_view bytes, const std::string& kind) {
  Data data;
  try {
    data = ParsePb(std::as_bytes(std::span(bytes)), kind, nullptr);
  } catch (const FormatError&) {
    return;
  }
  ComputeStatistics(data);
  // Values of a map as one tensor and keys of few bits are written otherwise.
  if (data.kind != Data::Kind::kTensor) return;
  MemorySink sink;
  WritePb(data, "x", sink);
  const std::string& written = sink.content;
  const Data again =
      ParsePb(std::as_bytes(std::span(written)), "float", nullptr);
  if (!Same(again, data)) std::abort();
}

}  // namespace
}  // namespace onnx_expose::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  google::protobuf::SetLogHandler(nullptr);
  for (const char* kind :
       {"", "float", "seq(float)", "map(int64,float)", "optional(float)"}) {
    onnx_expose::testing::Run({reinterpret_cast<const char*>(data), size},
                              kind);
  }
  return 0;
}
