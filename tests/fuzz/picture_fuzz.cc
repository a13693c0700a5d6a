// Any bytes: DecodePicture fails with an Error, or every pixel is there. The
// corpus are the pictures of the feeds' tests.
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "onnx_expose/error.h"
#include "tensor/image_pixels.h"

namespace onnx_expose {
namespace {

// Reads them all; AddressSanitizer sees those that aren't there.
template <typename Sample>
uint64_t Sum(const Sample* samples, size_t count) {
  return std::accumulate(samples, samples + count, uint64_t{0});
}

void Run(std::string_view bytes) {
  try {
    const Pixels picture = DecodePicture(bytes, "x");
    if (picture.width <= 0 || picture.height <= 0 || picture.channels < 1 ||
        picture.channels > 4 ||
        (picture.bytes == nullptr) == (picture.words == nullptr)) {
      std::abort();
    }
    const size_t count = static_cast<size_t>(picture.width) *
                         static_cast<size_t>(picture.height) *
                         static_cast<size_t>(picture.channels);
    const uint64_t sum = picture.bytes != nullptr
                             ? Sum(picture.bytes.get(), count)
                             : Sum(picture.words.get(), count);
    if (sum > count * UINT16_MAX) std::abort();
  } catch (const Error&) {
  }
}

}  // namespace
}  // namespace onnx_expose

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Larger pictures take a second each and show nothing else.
  constexpr size_t kMost = size_t{1} << 16;
  if (size <= kMost) {
    onnx_expose::Run({reinterpret_cast<const char*>(data), size});
  }
  return 0;
}
