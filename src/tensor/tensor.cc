#include "onnx_expose/tensor.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "onnx_expose/element_types.h"

namespace onnx_expose {

// Tensors and files are little-endian, and so must be the machine.
static_assert(std::endian::native == std::endian::little);

namespace {

constexpr uint64_t kTooMany = std::numeric_limits<uint64_t>::max();

}  // namespace

Tensor MakeTensor(int type, std::vector<int64_t> shape,
                  std::vector<std::byte> bytes) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  Tensor tensor;
  tensor.type = type;
  tensor.shape = std::move(shape);
  tensor.bytes = *owner;
  tensor.owner = std::move(owner);
  return tensor;
}

uint64_t ElementCount(const std::vector<int64_t>& shape) {
  if (std::count(shape.begin(), shape.end(), 0) > 0) return 0;
  uint64_t count = 1;
  for (const int64_t dim : shape) {
    if (dim < 0 ||
        __builtin_mul_overflow(count, static_cast<uint64_t>(dim), &count)) {
      return kTooMany;
    }
  }
  return count;
}

uint64_t DataBytes(int type, uint64_t count) {
  const auto bits = static_cast<uint64_t>(ElementBits(type));
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(count / 8, bits, &bytes)) return kTooMany;
  return bytes + (count % 8 * bits + 7) / 8;
}

}  // namespace onnx_expose
