#include "tensor/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "onnx_expose/element_types.h"
#include "onnx_expose/error.h"
#include "support/file.h"
#include "support/text.h"
#include "tensor/element_bits.h"
#include "tensor/element_writer.h"
#include "tensor/image_pixels.h"
#include "tensor/image_resize.h"

namespace onnx_expose {
namespace {

// Of the tensor; a picture of that many is no picture for a model.
constexpr int64_t kMostNumbers = int64_t{1} << 31;

[[noreturn]] void Refuse(const std::string& path, const std::string& what,
                         const std::string& hint = "") {
  throw Error(ExitCode::kInput, path, {what, "", hint});
}

// Where what lies in a tensor.
struct Layout {
  int64_t batch = 1;
  int64_t channels = 1;
  int64_t height = 0;
  int64_t width = 0;
  bool channels_first = true;
};

std::string ShapeText(const std::vector<int64_t>& shape) {
  std::vector<std::string> dims;
  for (const int64_t size : shape) {
    dims.push_back(size < 0 ? "?" : fmt::format("{}", size));
  }
  return "[" + Joined(dims, ",") + "]";
}

Layout FindLayout(const std::string& path, const std::vector<int64_t>& shape) {
  const auto is_channels = [](int64_t size) { return size == 1 || size == 3; };
  Layout layout;
  const size_t rank = shape.size();
  if (rank < 2 || rank > 4) {
    Refuse(path, fmt::format("a picture can't fill {}, only 2 to 4 dims",
                             ShapeText(shape)));
  }
  if (rank == 4) layout.batch = shape[0] < 0 ? 1 : shape[0];
  if (rank == 2) {
    layout.height = shape[0];
    layout.width = shape[1];
    return layout;
  }
  const size_t first = rank - 3;
  layout.channels_first = is_channels(shape[first]);
  if (!layout.channels_first && !is_channels(shape[rank - 1])) {
    Refuse(path,
           fmt::format("which dim of {} are the channels: none is 1 or 3",
                       ShapeText(shape)),
           "--shape x=1,3,224,224 says it");
  }
  layout.channels = shape[layout.channels_first ? first : rank - 1];
  layout.height = shape[layout.channels_first ? first + 1 : first];
  layout.width = shape[layout.channels_first ? first + 2 : first + 1];
  return layout;
}

// One number a channel.
std::vector<double> PerChannel(const std::string& path, const char* flag,
                               const std::vector<double>& given,
                               int64_t channels, double otherwise) {
  const auto count = static_cast<size_t>(channels);
  if (given.empty()) return std::vector<double>(count, otherwise);
  if (given.size() == 1) return std::vector<double>(count, given[0]);
  if (given.size() == count) return given;
  Refuse(path, fmt::format("{} has {} numbers, and the input {} channels", flag,
                           given.size(), channels));
}

void CheckTarget(const std::string& path, const PictureTarget& target,
                 const Layout& layout) {
  const bool has_pixels = target.type == kUint8;
  if (!has_pixels && !IsFloatType(target.type)) {
    Refuse(path, fmt::format("a picture can't be {}, only uint8 and "
                             "floating-point numbers",
                             ElementName(target.type)));
  }
  if (has_pixels && !(target.mean.empty() && target.scale.empty())) {
    Refuse(path,
           "--mean and --scale are for floating-point inputs; uint8 gets "
           "the pixels");
  }
  int64_t count = layout.channels;
  for (const int64_t size : {layout.batch, layout.height, layout.width}) {
    if (size == 0) Refuse(path, "a picture can't fill an empty tensor");
    if (__builtin_mul_overflow(count, size, &count) || count > kMostNumbers) {
      Refuse(path, fmt::format("{} is too large for a picture",
                               ShapeText(target.shape)));
    }
  }
}

// The shape with what the picture decided.
std::vector<int64_t> FinalShape(const Layout& layout, size_t rank) {
  std::vector<int64_t> shape = {layout.height, layout.width};
  if (rank > 2) {
    shape.insert(layout.channels_first ? shape.begin() : shape.end(),
                 layout.channels);
  }
  if (rank > 3) shape.insert(shape.begin(), layout.batch);
  return shape;
}

// The elements of one picture, in the order of the layout.
std::vector<std::byte> Encode(const std::vector<float>& pixels,
                              const Layout& layout, int type,
                              const std::vector<double>& mean,
                              const std::vector<double>& scale) {
  const auto channels = static_cast<size_t>(layout.channels);
  const size_t area = pixels.size() / channels;
  ElementWriter writer(type, pixels.size());
  for (size_t i = 0; i < pixels.size(); ++i) {
    const size_t channel = i % channels;
    const double pixel = static_cast<double>(pixels[i]);
    const uint64_t bits =
        type == kUint8
            ? static_cast<uint64_t>(std::lround(std::clamp(pixel, 0.0, 255.0)))
            : FloatBits(type, (pixel / 255 - mean[channel]) / scale[channel]);
    writer.Put(layout.channels_first ? channel * area + i / channels : i, bits);
  }
  return writer.Take();
}

std::string ReadFile(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad() || (bytes.empty() && errno != 0)) {
    Refuse(path, "can't read: " + ErrnoText());
  }
  return bytes;
}

}  // namespace

Tensor ReadPicture(const std::string& path, const PictureTarget& target) {
  Layout layout = FindLayout(path, target.shape);
  const std::vector<double> mean =
      PerChannel(path, "--mean", target.mean, layout.channels, 0);
  const std::vector<double> scale =
      PerChannel(path, "--scale", target.scale, layout.channels, 1);
  if (std::count(scale.begin(), scale.end(), 0.0) > 0) {
    Refuse(path, "--scale can't be 0");
  }
  const Pixels picture = DecodePicture(ReadFile(path), path);
  if (layout.height < 0) layout.height = picture.height;
  if (layout.width < 0) layout.width = picture.width;
  CheckTarget(path, target, layout);

  const std::vector<float> pixels = Resize(
      picture, static_cast<int>(layout.width), static_cast<int>(layout.height),
      static_cast<int>(layout.channels));
  const std::vector<std::byte> one =
      Encode(pixels, layout, target.type, mean, scale);
  std::vector<std::byte> bytes;
  bytes.reserve(one.size() * static_cast<size_t>(layout.batch));
  for (int64_t i = 0; i < layout.batch; ++i) {
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  return MakeTensor(target.type, FinalShape(layout, target.shape.size()),
                    std::move(bytes));
}

}  // namespace onnx_expose
