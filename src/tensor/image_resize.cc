#include "tensor/image_resize.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace onnx_expose {
namespace {

// Which of the old places make up a new one.
struct Blend {
  size_t first = 0;
  std::vector<double> weights;
};

std::vector<Blend> MakeBlends(int from, int to) {
  const double scale = static_cast<double>(from) / to;
  const double reach = std::max(scale, 1.0);
  std::vector<Blend> blends(static_cast<size_t>(to));
  for (int i = 0; i < to; ++i) {
    const double center = (i + 0.5) * scale;
    const int first = std::max(0, static_cast<int>(center - reach + 0.5));
    const int end = std::min(from, static_cast<int>(center + reach + 0.5));
    Blend& blend = blends[static_cast<size_t>(i)];
    blend.first = static_cast<size_t>(first);
    double sum = 0;
    for (int x = first; x < end; ++x) {
      const double distance = std::fabs((x + 0.5 - center) / reach);
      blend.weights.push_back(std::max(0.0, 1 - distance));
      sum += blend.weights.back();
    }
    for (double& weight : blend.weights) weight /= sum;
  }
  return blends;
}

// One row as numbers from 0 to 255.
template <typename Sample>
void ReadRow(const Sample* row, const Pixels& picture, int channels,
             std::vector<double>& into) {
  constexpr double kUnit = sizeof(Sample) == 1 ? 1 : 257;
  const auto stored = static_cast<size_t>(picture.channels);
  const bool is_grey = stored <= 2;
  const auto wanted = static_cast<size_t>(channels);
  for (size_t x = 0; x < static_cast<size_t>(picture.width); ++x) {
    const Sample* pixel = row + x * stored;
    double* out = into.data() + x * wanted;
    if (wanted == 1) {
      out[0] = is_grey
                   ? pixel[0] / kUnit
                   : (0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]) /
                         kUnit;
      continue;
    }
    for (size_t c = 0; c < wanted; ++c) {
      out[c] = pixel[is_grey ? 0 : c] / kUnit;
    }
  }
}

void ReadRow(const Pixels& picture, size_t y, int channels,
             std::vector<double>& into) {
  const size_t start = y * static_cast<size_t>(picture.width) *
                       static_cast<size_t>(picture.channels);
  if (picture.words != nullptr) {
    ReadRow(picture.words.get() + start, picture, channels, into);
  } else {
    ReadRow(picture.bytes.get() + start, picture, channels, into);
  }
}

}  // namespace

std::vector<float> Resize(const Pixels& picture, int width, int height,
                          int channels) {
  const auto depth = static_cast<size_t>(channels);
  const size_t row_size = static_cast<size_t>(width) * depth;
  const std::vector<Blend> columns = MakeBlends(picture.width, width);
  const std::vector<Blend> rows = MakeBlends(picture.height, height);
  std::vector<double> row(static_cast<size_t>(picture.width) * depth);
  std::vector<float> narrow(static_cast<size_t>(picture.height) * row_size);
  for (size_t y = 0; y < static_cast<size_t>(picture.height); ++y) {
    ReadRow(picture, y, channels, row);
    float* out = narrow.data() + y * row_size;
    for (const Blend& blend : columns) {
      for (size_t c = 0; c < depth; ++c) {
        double sum = 0;
        for (size_t k = 0; k < blend.weights.size(); ++k) {
          sum += blend.weights[k] * row[(blend.first + k) * depth + c];
        }
        *out++ = static_cast<float>(sum);
      }
    }
  }
  std::vector<float> result(static_cast<size_t>(height) * row_size);
  for (size_t y = 0; y < static_cast<size_t>(height); ++y) {
    const Blend& blend = rows[y];
    for (size_t x = 0; x < row_size; ++x) {
      double sum = 0;
      for (size_t k = 0; k < blend.weights.size(); ++k) {
        sum += blend.weights[k] *
               static_cast<double>(narrow[(blend.first + k) * row_size + x]);
      }
      result[y * row_size + x] = static_cast<float>(sum);
    }
  }
  return result;
}

}  // namespace onnx_expose
