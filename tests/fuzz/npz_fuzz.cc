// Any bytes: the zip reader refuses them or gives members whose content is
// bounded by the file; what is in them is read as npy, and as a sequence and a
// map.
#include <cstdlib>

#include "tensor/format_error.h"
#include "tensor/npy.h"
#include "tensor/npz.h"
#include "tests/support/tensors.h"

namespace onnx_expose::testing {
namespace {

template <typename Read>
void Try(const Read& read) {
  try {
    read();
  } catch (const FormatError&) {
  }
}

void Run(std::string_view bytes) {
  Try([&] {
    const ZipReader zip(BytesOf(bytes));
    for (const std::string& name : zip.Names()) {
      Try([&] {
        const FileBytes content = zip.Read(name);
        if (content.bytes.size() / 1033 > bytes.size()) std::abort();
        ParseNpy(content);
      });
    }
    Try([&] { SequenceFromNpz(zip); });
    Try([&] { MapFromNpz(zip); });
  });
}

}  // namespace
}  // namespace onnx_expose::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  onnx_expose::testing::Run({reinterpret_cast<const char*>(data), size});
  return 0;
}
