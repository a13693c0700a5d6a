#include "report/bitmap.h"

#include <algorithm>
#include <cmath>

#include "onnx_expose/tensor.h"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image_write.h>
#pragma GCC diagnostic pop

namespace onnx_expose {
namespace {

constexpr int kChannels = 3;
constexpr int kSide = 640;

// Where the planes, rows and columns of a tensor are among its codes.
struct Planes {
  int count = 1;
  int height = 1;
  int width = 1;
  size_t plane_step = 0;
  size_t row_step = 0;
  size_t column_step = 1;
};

Planes PlanesOf(const ReducedTensor& tensor, View view) {
  const std::vector<int64_t>& dims = tensor.dims;
  const size_t rank = dims.size();
  const auto dim = [&](size_t axis) { return static_cast<int>(dims[axis]); };
  const auto step = [&](size_t axis) {
    size_t product = 1;
    for (size_t i = axis + 1; i < rank; ++i) {
      product *= static_cast<size_t>(dims[i]);
    }
    return product;
  };
  if (view == View::kLine || view == View::kNumbers || rank < 2) {
    return {1, 1, static_cast<int>(ElementCount(dims)), 0, 0, 1};
  }
  if (rank == 2) return {1, dim(0), dim(1), 0, step(0), 1};
  const ViewAxes axes = AxesOf(view, rank);
  return {dim(axes.channel),  dim(axes.height),  dim(axes.width),
          step(axes.channel), step(axes.height), step(axes.width)};
}

void Append(void* text, void* bytes, int size) {
  static_cast<std::string*>(text)->append(static_cast<const char*>(bytes),
                                          static_cast<size_t>(size));
}

}  // namespace

Bitmap::Bitmap(int width, int height)
    : width_(width),
      height_(height),
      pixels_(
          static_cast<size_t>(width) * static_cast<size_t>(height) * kChannels,
          255) {}

void Bitmap::Fill(int left, int top, int width, int height, Colour colour) {
  const int right = std::min(left + width, width_);
  const int bottom = std::min(top + height, height_);
  for (int y = std::max(top, 0); y < bottom; ++y) {
    for (int x = std::max(left, 0); x < right; ++x) {
      const auto at = (static_cast<size_t>(y) * static_cast<size_t>(width_) +
                       static_cast<size_t>(x)) *
                      kChannels;
      pixels_[at] = colour.red;
      pixels_[at + 1] = colour.green;
      pixels_[at + 2] = colour.blue;
    }
  }
}

void Bitmap::Paste(const Bitmap& other, int left, int top) {
  for (int y = 0; y < other.height_; ++y) {
    for (int x = 0; x < other.width_; ++x) {
      const auto at =
          (static_cast<size_t>(y) * static_cast<size_t>(other.width_) +
           static_cast<size_t>(x)) *
          kChannels;
      Fill(left + x, top + y, 1, 1,
           {other.pixels_[at], other.pixels_[at + 1], other.pixels_[at + 2]});
    }
  }
}

std::string Bitmap::Png() const {
  std::string png;
  stbi_write_png_to_func(Append, &png, width_, height_, kChannels,
                         pixels_.data(), width_ * kChannels);
  return png;
}

Bitmap DrawTensor(const ReducedTensor& tensor, View view, Range range) {
  const std::array<Colour, 256> colours = ColoursOfCodes(tensor, range);
  const Planes planes = PlanesOf(tensor, view);
  const int gap = planes.count > 1 ? 1 : 0;
  // As many planes a row as make the picture square.
  const double shape = static_cast<double>(planes.height) / planes.width;
  const int columns =
      std::clamp(static_cast<int>(std::lround(std::sqrt(planes.count * shape))),
                 1, planes.count);
  const int rows = (planes.count + columns - 1) / columns;
  const int longest = std::max(columns * planes.width, rows * planes.height);
  const int zoom = std::clamp(kSide / longest, 1, 16);
  const int cell_width = planes.width * zoom + gap;
  const int cell_height = planes.height * zoom + gap;
  Bitmap bitmap(columns * cell_width - gap, rows * cell_height - gap);
  for (int plane = 0; plane < planes.count; ++plane) {
    const int left = plane % columns * cell_width;
    const int top = plane / columns * cell_height;
    for (int y = 0; y < planes.height; ++y) {
      for (int x = 0; x < planes.width; ++x) {
        const size_t at = static_cast<size_t>(plane) * planes.plane_step +
                          static_cast<size_t>(y) * planes.row_step +
                          static_cast<size_t>(x) * planes.column_step;
        const auto code = static_cast<unsigned char>(tensor.codes[at]);
        bitmap.Fill(left + x * zoom, top + y * zoom, zoom, zoom, colours[code]);
      }
    }
  }
  return bitmap;
}

Bitmap DrawHistogram(const Statistics& stats) {
  constexpr int kBar = 8;
  constexpr int kHeight = 200;
  Bitmap bitmap(Statistics::kBins * kBar, kHeight);
  const uint64_t most = std::max<uint64_t>(
      1, *std::max_element(stats.histogram.begin(), stats.histogram.end()));
  for (size_t bin = 0; bin < stats.histogram.size(); ++bin) {
    const double part =
        static_cast<double>(stats.histogram[bin]) / static_cast<double>(most);
    const int height = static_cast<int>(std::ceil(part * (kHeight - 4)));
    bitmap.Fill(static_cast<int>(bin) * kBar, kHeight - height, kBar - 1,
                height, {61, 122, 184});
  }
  return bitmap;
}

}  // namespace onnx_expose
