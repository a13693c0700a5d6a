#ifndef ONNX_EXPOSE_TENSOR_IMAGE_RESIZE_H_
#define ONNX_EXPOSE_TENSOR_IMAGE_RESIZE_H_

#include <vector>

#include "tensor/image_pixels.h"

namespace onnx_expose {

// The picture in another size as numbers from 0 to 255,
// [height][width][channel] with 1 (grey) or 3 (RGB) channels. Each number is
// the mean of the pixels around its place, weighted by a triangle as wide as
// two pixels of the smaller of both pictures.
std::vector<float> Resize(const Pixels& picture, int width, int height,
                          int channels);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_IMAGE_RESIZE_H_
