#include "tensor/code_counts.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "tensor/packing.h"

namespace onnx_expose {
namespace {

constexpr size_t kCodes = size_t{1} << 16;

// Calls visit(codes, position of the first) block by block until it says false.
template <typename Visit>
void ForCodes(const Tensor& tensor, const Visit& visit) {
  const uint64_t count = ElementCount(tensor.shape);
  const bool packed = IsPacked(tensor.type);
  std::vector<uint8_t> block(packed ? std::min<uint64_t>(kCodes, count) : 0);
  for (uint64_t at = 0; at < count; at += kCodes) {
    const size_t size = std::min<uint64_t>(kCodes, count - at);
    const auto* codes =
        reinterpret_cast<const uint8_t*>(tensor.bytes.data()) + at;
    if (packed) {
      Unpack(tensor.type, tensor.bytes, at, size, block.data());
      codes = block.data();
    }
    if (!visit(std::span(codes, size), at)) return;
  }
}

}  // namespace

CodeCounts CountCodes(const Tensor& tensor) {
  // Four tables: the same code twice in a row doesn't wait for itself.
  std::array<CodeCounts, 4> counts{};
  ForCodes(tensor, [&](std::span<const uint8_t> codes, uint64_t) {
    size_t i = 0;
    for (; i + 4 <= codes.size(); i += 4) {
      for (size_t k = 0; k < 4; ++k) ++counts[k][codes[i + k]];
    }
    for (; i < codes.size(); ++i) ++counts[0][codes[i]];
    return true;
  });
  for (size_t code = 0; code < counts[0].size(); ++code) {
    for (size_t k = 1; k < 4; ++k) counts[0][code] += counts[k][code];
  }
  return counts[0];
}

uint64_t FirstNotFinite(const Tensor& tensor, const CodeValues& values) {
  uint64_t found = 0;
  ForCodes(tensor, [&](std::span<const uint8_t> codes, uint64_t first) {
    const auto at = std::find_if(codes.begin(), codes.end(), [&](uint8_t code) {
      return !std::isfinite(values[code]);
    });
    if (at == codes.end()) return true;
    found = first + static_cast<uint64_t>(at - codes.begin());
    return false;
  });
  return found;
}

}  // namespace onnx_expose
