#ifndef ONNX_EXPOSE_TENSOR_IMAGE_PIXELS_H_
#define ONNX_EXPOSE_TENSOR_IMAGE_PIXELS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace onnx_expose {

// A picture as it was stored: rows from the top, the channels of a pixel next
// to each other.
struct Pixels {
  int width = 0;
  int height = 0;
  int channels = 0;  // 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha
  // One of the two is set.
  std::shared_ptr<const uint8_t> bytes;
  std::shared_ptr<const uint16_t> words;
};

// Decodes PNG and JPEG. Hostile bytes cost at most some 16 bytes for each pixel
// that they claim to have, and those are limited to 100 million. Throws
// Error(kInput) about `path`.
Pixels DecodePicture(std::string_view bytes, const std::string& path);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_IMAGE_PIXELS_H_
