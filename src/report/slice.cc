#include "report/slice.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>
#include <vector>

#include "onnx_expose/element_types.h"
#include "tensor/packing.h"

namespace onnx_expose {
namespace {

// What is taken of an axis; `keep`: the axis stays in the result.
struct Part {
  int64_t first = 0;
  int64_t count = 0;
  bool keep = true;
};

std::optional<int64_t> Number(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

// A place as numpy counts it, ends clamped.
std::optional<int64_t> Bound(std::string_view text, int64_t otherwise,
                             int64_t size) {
  if (text.empty()) return otherwise;
  const auto number = Number(text);
  if (!number) return {};
  return std::clamp<int64_t>(*number < 0 ? *number + size : *number, 0, size);
}

std::optional<Part> ParsePart(std::string_view text, int64_t size) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    const auto number = Number(text);
    if (!number || *number >= size || *number < -size) return {};
    return Part{*number < 0 ? *number + size : *number, 1, false};
  }
  const auto first = Bound(text.substr(0, colon), 0, size);
  const auto last = Bound(text.substr(colon + 1), size, size);
  if (!first || !last) return {};
  return Part{*first, std::max<int64_t>(0, *last - *first), true};
}

std::optional<std::vector<Part>> ParseParts(std::string_view text,
                                            const std::vector<int64_t>& shape) {
  std::vector<Part> parts;
  for (const int64_t dim : shape) parts.push_back({0, dim, true});
  size_t axis = 0;
  for (size_t at = 0; at <= text.size(); ++axis) {
    const size_t comma = std::min(text.find(',', at), text.size());
    if (axis == shape.size()) return {};
    const auto part = ParsePart(text.substr(at, comma - at), shape[axis]);
    if (!part) return {};
    parts[axis] = *part;
    at = comma + 1;
  }
  return parts;
}

// One byte an element for what has less.
Tensor WithWholeBytes(const Tensor& tensor) {
  if (!IsPacked(tensor.type)) return tensor;
  std::vector<std::byte> codes(ElementCount(tensor.shape));
  Unpack(tensor.type, tensor.bytes, 0, codes.size(),
         reinterpret_cast<uint8_t*>(codes.data()));
  const bool is_signed = ElementName(tensor.type).starts_with("int");
  return MakeTensor(ElementType(is_signed ? "int8" : "uint8"), tensor.shape,
                    std::move(codes));
}

// Copies what is taken below `axis`; `from` counts elements.
void Copy(const Tensor& tensor, const std::vector<Part>& parts, size_t axis,
          uint64_t from, size_t width, std::vector<std::byte>& to) {
  const Part& part = parts[axis];
  uint64_t stride = 1;
  for (size_t i = axis + 1; i < parts.size(); ++i) {
    stride *= static_cast<uint64_t>(tensor.shape[i]);
  }
  const uint64_t first = from + static_cast<uint64_t>(part.first) * stride;
  if (axis + 1 == parts.size()) {
    const auto run = tensor.bytes.subspan(
        first * width, static_cast<size_t>(part.count) * width);
    to.insert(to.end(), run.begin(), run.end());
    return;
  }
  for (int64_t i = 0; i < part.count; ++i) {
    Copy(tensor, parts, axis + 1, first + static_cast<uint64_t>(i) * stride,
         width, to);
  }
}

}  // namespace

std::optional<Tensor> Slice(const Tensor& original, std::string_view text) {
  if (ElementBits(original.type) == 0) return {};
  const auto parts = ParseParts(text, original.shape);
  if (!parts) return {};
  const Tensor tensor = WithWholeBytes(original);
  std::vector<int64_t> shape;
  uint64_t count = 1;
  for (const Part& part : *parts) {
    if (part.keep) shape.push_back(part.count);
    count *= static_cast<uint64_t>(part.count);
  }
  const auto width = static_cast<size_t>(ElementBits(tensor.type)) / 8;
  std::vector<std::byte> bytes;
  bytes.reserve(count * width);
  if (count > 0) Copy(tensor, *parts, 0, 0, width, bytes);
  return MakeTensor(tensor.type, std::move(shape), std::move(bytes));
}

}  // namespace onnx_expose
