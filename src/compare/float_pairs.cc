#include "compare/float_pairs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "compare/vector_lanes.h"
#include "tensor/vectorized.h"

namespace onnx_expose {
namespace {

using Bits =
    uint32_t __attribute__((vector_size(kFloatStep * sizeof(uint32_t))));
using SignedBits =
    int32_t __attribute__((vector_size(kFloatStep * sizeof(int32_t))));

constexpr uint32_t kMagnitudeBits = 0x7fffffff;
constexpr uint32_t kInfinityBits = 0x7f800000;

ONNX_EXPOSE_INLINE Lanes Widened(const std::byte* from) {
  std::array<float, kLanes> x;
  std::memcpy(x.data(), from, sizeof(x));
  return Lanes{x[0], x[1], x[2], x[3]};
}

// What is kept in registers.
struct Running {
  Lanes abs = {}, max_abs = {}, rel = {}, max_rel = {};
  Lanes aa = {}, bb = {}, ab = {}, dd = {};
  Counts outside = {};  // minus how many are
  Bits max_a = {}, max_b = {}, ulp = {};
};

ONNX_EXPOSE_INLINE void AddLanes(const std::byte* a, const std::byte* b,
                                 const Lanes& floor, const Lanes& atol,
                                 const Lanes& rtol, double* d, Running& all) {
  const Lanes x = Widened(a);
  const Lanes y = Widened(b);
  const Lanes off = Magnitude(x - y);
  const Lanes size_y = Magnitude(y);
  const Lanes relative = off / Greater(size_y, floor);
  std::memcpy(d, &off, sizeof(off));
  all.abs += off;
  all.max_abs = Greater(off, all.max_abs);
  all.rel += relative;
  all.max_rel = Greater(relative, all.max_rel);
  all.aa += x * x;
  all.bb += y * y;
  all.ab += x * y;
  all.dd += off * off;
  all.outside += off > atol + rtol * size_y;  // true is -1
}

// Steps from one float to the next: the magnitudes' bits are in their order.
ONNX_EXPOSE_INLINE void AddBits(const std::byte* a, const std::byte* b,
                                Running& all) {
  const Bits x = LoadVector<Bits>(a);
  const Bits y = LoadVector<Bits>(b);
  const Bits size_x = x & kMagnitudeBits;
  const Bits size_y = y & kMagnitudeBits;
  const Bits apart =
      Greater(size_x, size_y) - (size_x < size_y ? size_x : size_y);
  const Bits signs = x ^ y;
  const Bits steps = (SignedBits)signs < 0 ? size_x + size_y : apart;
  all.max_a = Greater(size_x, all.max_a);
  all.max_b = Greater(size_y, all.max_b);
  all.ulp = Greater(steps, all.ulp);
}

ONNX_EXPOSE_INLINE uint32_t GreatestBits(const Bits& x) {
  uint32_t most = 0;
  for (size_t i = 0; i < kFloatStep; ++i) most = std::max(most, x[i]);
  return most;
}

}  // namespace

ONNX_EXPOSE_VECTORIZED
FloatPairSums SumFloatPairs(const std::byte* a, const std::byte* b, size_t size,
                            const PairLimits& limits, double* d) {
  const Lanes nothing = {};
  const Lanes floor = nothing + limits.floor;
  const Lanes atol = nothing + limits.atol;
  const Lanes rtol = nothing + limits.rtol;
  constexpr size_t kHalf = kLanes * sizeof(float);
  Running all;
  size_t i = 0;
  for (; i + kFloatStep <= size; i += kFloatStep) {
    const std::byte* x = a + i * sizeof(float);
    const std::byte* y = b + i * sizeof(float);
    AddLanes(x, y, floor, atol, rtol, d + i, all);
    AddLanes(x + kHalf, y + kHalf, floor, atol, rtol, d + i + kLanes, all);
    AddBits(x, y, all);
  }
  if (i < size) {
    // Zeros add nothing.
    std::array<std::byte, kFloatStep * sizeof(float)> x{};
    std::array<std::byte, kFloatStep * sizeof(float)> y{};
    std::memcpy(x.data(), a + i * sizeof(float), (size - i) * sizeof(float));
    std::memcpy(y.data(), b + i * sizeof(float), (size - i) * sizeof(float));
    AddLanes(x.data(), y.data(), floor, atol, rtol, d + i, all);
    AddLanes(x.data() + kHalf, y.data() + kHalf, floor, atol, rtol,
             d + i + kLanes, all);
    AddBits(x.data(), y.data(), all);
  }
  const uint32_t max_a = GreatestBits(all.max_a);
  const uint32_t max_b = GreatestBits(all.max_b);
  FloatPairSums result;
  result.finite = std::max(max_a, max_b) < kInfinityBits;
  result.sums = {Total(all.abs),
                 Greatest(all.max_abs),
                 Total(all.rel),
                 Greatest(all.max_rel),
                 std::bit_cast<float>(max_a),
                 std::bit_cast<float>(max_b),
                 Total(all.aa),
                 Total(all.bb),
                 Total(all.ab),
                 Total(all.dd)};
  result.outside = static_cast<uint64_t>(-Total(all.outside));
  result.max_ulp = GreatestBits(all.ulp);
  return result;
}

}  // namespace onnx_expose
