#ifndef ONNX_EXPOSE_TENSOR_IMAGE_H_
#define ONNX_EXPOSE_TENSOR_IMAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "onnx_expose/tensor.h"

namespace onnx_expose {

// What a picture is to become.
struct PictureTarget {
  int type = 0;  // floating point or uint8
  // [N,C,H,W] or [N,H,W,C], [C,H,W] or [H,W,C]: C is the dim that is 1 or 3; if
  // both might be, the first. [H,W] is grey. -1: a height or width as the
  // picture has it, 1 for N. The picture is repeated N times.
  std::vector<int64_t> shape;
  // (pixel / 255 - mean) / scale; each empty, for all channels, or one a
  // channel. None for uint8, which gets the pixels.
  std::vector<double> mean;
  std::vector<double> scale;
};

// Reads PNG or JPEG. The size is changed by linear interpolation, over all
// pixels that a smaller picture's pixel covers (as Pillow's BILINEAR does).
// Grey from RGB by ITU-R 601; alpha is left out. Throws Error(kInput) about
// `path`: no such picture, a target that isn't one.
Tensor ReadPicture(const std::string& path, const PictureTarget& target);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_IMAGE_H_
