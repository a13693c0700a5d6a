// Any bytes: they are refused, or what they say stays the same when it is
// written and read again.
#include <cstdlib>

#include "onnx_expose/error.h"
#include "tensor/manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using onnx_expose::ManifestText;
  using onnx_expose::ParseManifest;
  onnx_expose::Manifest manifest;
  try {
    manifest = ParseManifest({reinterpret_cast<const char*>(data), size}, "");
  } catch (const onnx_expose::Error&) {
    return 0;
  }
  onnx_expose::StatisticsCsv(manifest);
  const std::string text = ManifestText(manifest);
  if (ManifestText(ParseManifest(text, "")) != text) std::abort();
  return 0;
}
