// Any bytes: the scanner fails with an Error, or what it found is the same
// message as protobuf reads, with the payloads back in their places.
#include <google/protobuf/stubs/logging.h>

#include <cstdlib>
#include <memory>

#include "loader/scanner.h"
#include "onnx_expose/error.h"
#include "tests/support/model_files.h"

namespace onnx_expose::testing {
namespace {

void Run(std::string_view bytes) {
  Skeleton model;
  model.source = MemoryFile(bytes);
  ScannedModel scanned;
  try {
    scanned = ScanModel(*model.source);
  } catch (const Error&) {
    return;
  }
  onnx::ModelProto whole;
  const bool parsed =
      whole.ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size()));
  if (model.proto.ParsePartialFromString(scanned.bytes) != parsed) std::abort();
  if (!parsed) return;
  model.payloads = std::move(scanned.payloads);
  onnx::ModelProto spliced;
  if (!spliced.ParsePartialFromString(Written(model))) std::abort();
  if (Bytes(spliced) != Bytes(whole)) std::abort();
}

}  // namespace
}  // namespace onnx_expose::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  google::protobuf::SetLogHandler(nullptr);
  onnx_expose::testing::Run({reinterpret_cast<const char*>(data), size});
  return 0;
}
