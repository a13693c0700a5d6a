// Any bytes: they are refused, or the tensor is one that can be written and
// read again.
#include <cstdlib>

#include "onnx_expose/statistics.h"
#include "tensor/format_error.h"
#include "tensor/npy.h"
#include "tests/support/tensors.h"

namespace onnx_expose::testing {
namespace {

void Run(std::string_view bytes) {
  Data data;
  try {
    data.tensor = ParseNpy(BytesOf(bytes));
  } catch (const FormatError&) {
    return;
  }
  const Tensor& tensor = data.tensor;
  const uint64_t count = ElementCount(tensor.shape);
  if (tensor.bytes.size() != DataBytes(tensor.type, count)) std::abort();
  if (ComputeStatistics(data).count != count) std::abort();
  if (!FitsNpy(tensor)) return;
  MemorySink sink;
  WriteNpy(tensor, sink);
  if (!Same(ParseNpy(BytesOf(sink.content)), tensor)) std::abort();
}

}  // namespace
}  // namespace onnx_expose::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  onnx_expose::testing::Run({reinterpret_cast<const char*>(data), size});
  return 0;
}
