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

// So few that they are still in the first cache the second time.
constexpr size_t kStrip = 256;
// What is read a little later is fetched now: processors don't look ahead
// beyond a page.
constexpr size_t kLine = 64 / sizeof(float);
constexpr size_t kAhead = 512;
constexpr uint32_t kMagnitudeBits = 0x7fffffff;
constexpr uint32_t kInfinityBits = 0x7f800000;

ONNX_EXPOSE_INLINE Lanes Widened(const std::byte* from) {
  std::array<float, kLanes> x;
  std::memcpy(x.data(), from, sizeof(x));
  return Lanes{x[0], x[1], x[2], x[3]};
}

// What is kept in registers, of which there are too few for both at once.
struct RunningNumbers {
  Lanes abs = {}, max_abs = {}, rel = {}, max_rel = {};
  Lanes aa = {}, bb = {}, ab = {}, dd = {};
  Counts outside = {};  // minus how many are
};
struct RunningBits {
  Bits max_a = {}, max_b = {}, ulp = {};
  Bits equal = {};
};

ONNX_EXPOSE_INLINE void AddLanes(const std::byte* a, const std::byte* b,
                                 const Lanes& floor, const Lanes& atol,
                                 const Lanes& rtol, double* d,
                                 RunningNumbers& all) {
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
  // The magnitude of the product, so that no compiler makes one instruction of
  // product and sum: it would round once, and the verdict be another machine's.
  all.outside += off > atol + Magnitude(rtol * y);  // true is -1
}

// Steps from one float to the next: the magnitudes' bits are in their order.
ONNX_EXPOSE_INLINE void AddBits(const std::byte* a, const std::byte* b,
                                RunningBits& all) {
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
  all.equal -= (Bits)(steps == 0);  // true is -1
}

ONNX_EXPOSE_INLINE uint32_t GreatestBits(const Bits& x) {
  uint32_t most = 0;
  for (size_t i = 0; i < kFloatStep; ++i) most = std::max(most, x[i]);
  return most;
}

ONNX_EXPOSE_INLINE uint64_t TotalBits(const Bits& x) {
  uint64_t all = 0;
  for (size_t i = 0; i < kFloatStep; ++i) all += x[i];
  return all;
}

}  // namespace

ONNX_EXPOSE_VECTORIZED
FloatPairSums SumFloatPairs(const std::byte* a, const std::byte* b, size_t size,
                            const PairLimits& limits, double* d) {
  const Lanes nothing = {};
  const Lanes floor = nothing + limits.floor;
  const Lanes atol = nothing + limits.atol;
  const Lanes rtol = nothing + limits.rtol;
  RunningNumbers numbers;
  RunningBits bits;
  const auto add = [&](const std::byte* x, const std::byte* y, size_t count,
                       double* off) ONNX_EXPOSE_INLINED {
    for (size_t i = 0; i < count; i += kFloatStep) {
      AddBits(x + i * sizeof(float), y + i * sizeof(float), bits);
    }
    for (size_t i = 0; i < count; i += kLanes) {
      AddLanes(x + i * sizeof(float), y + i * sizeof(float), floor, atol, rtol,
               off + i, numbers);
    }
  };
  const size_t whole = size / kFloatStep * kFloatStep;
  for (size_t i = 0; i < whole; i += kStrip) {
    for (size_t k = 0; k < kStrip; k += kLine) {
      __builtin_prefetch(a + (i + k + kAhead) * sizeof(float));
      __builtin_prefetch(b + (i + k + kAhead) * sizeof(float));
    }
    add(a + i * sizeof(float), b + i * sizeof(float),
        std::min(kStrip, whole - i), d + i);
  }
  const size_t padding = whole == size ? 0 : kFloatStep - (size - whole);
  if (padding > 0) {
    // Zeros add nothing but to those that are equal.
    std::array<std::byte, kFloatStep * sizeof(float)> x{};
    std::array<std::byte, kFloatStep * sizeof(float)> y{};
    const size_t left = (size - whole) * sizeof(float);
    std::memcpy(x.data(), a + whole * sizeof(float), left);
    std::memcpy(y.data(), b + whole * sizeof(float), left);
    add(x.data(), y.data(), kFloatStep, d + whole);
  }
  const uint32_t max_a = GreatestBits(bits.max_a);
  const uint32_t max_b = GreatestBits(bits.max_b);
  FloatPairSums result;
  result.finite = std::max(max_a, max_b) < kInfinityBits;
  result.sums = {Total(numbers.abs),          Greatest(numbers.max_abs),
                 Total(numbers.rel),          Greatest(numbers.max_rel),
                 std::bit_cast<float>(max_a), std::bit_cast<float>(max_b),
                 Total(numbers.aa),           Total(numbers.bb),
                 Total(numbers.ab),           Total(numbers.dd)};
  result.outside = static_cast<uint64_t>(-Total(numbers.outside));
  result.max_ulp = GreatestBits(bits.ulp);
  result.equal = TotalBits(bits.equal) - padding;
  return result;
}

}  // namespace onnx_expose
