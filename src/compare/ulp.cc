#include "compare/ulp.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "onnx_expose/element_types.h"
#include "tensor/packing.h"
#include "tensor/vectorized.h"

namespace onnx_expose {
namespace {

template <typename T>
inline T Load(const std::byte* from, size_t i) {
  T x;
  std::memcpy(&x, from + i * sizeof(T), sizeof(T));
  return x;
}

// Bits of a sign and a magnitude as numbers in their order.
template <typename T>
inline T Ordinal(T bits) {
  return bits < 0 ? static_cast<T>(std::numeric_limits<T>::min() - bits) : bits;
}

template <typename T>
inline std::make_unsigned_t<T> Steps(T a, T b) {
  using U = std::make_unsigned_t<T>;
  const T x = Ordinal(a);
  const T y = Ordinal(b);
  const auto up = static_cast<U>(static_cast<U>(x) - static_cast<U>(y));
  const auto down = static_cast<U>(static_cast<U>(y) - static_cast<U>(x));
  return x > y ? up : down;
}

#define ONNX_EXPOSE_MAX_STEPS(Name, T)                                         \
  ONNX_EXPOSE_VECTORIZED uint64_t Name(const std::byte* a, const std::byte* b, \
                                       size_t size) {                          \
    std::make_unsigned_t<T> most = 0;                                          \
    for (size_t i = 0; i < size; ++i) {                                        \
      const auto steps = Steps(Load<T>(a, i), Load<T>(b, i));                  \
      most = steps > most ? steps : most;                                      \
    }                                                                          \
    return most;                                                               \
  }

ONNX_EXPOSE_MAX_STEPS(MaxSteps16, int16_t)
ONNX_EXPOSE_MAX_STEPS(MaxSteps32, int32_t)
ONNX_EXPOSE_MAX_STEPS(MaxSteps64, int64_t)

#undef ONNX_EXPOSE_MAX_STEPS

template <typename T>
uint64_t MaxOf(const std::byte* a, const std::byte* b,
               std::span<const uint16_t> kept) {
  uint64_t most = 0;
  for (const uint16_t i : kept) {
    most = std::max<uint64_t>(most, Steps(Load<T>(a, i), Load<T>(b, i)));
  }
  return most;
}

// Types of a byte or less, as numbers in their order.
std::vector<int> Ordinals(const Tensor& tensor, uint64_t first, size_t size) {
  std::vector<uint8_t> codes(size);
  if (IsPacked(tensor.type)) {
    Unpack(tensor.type, tensor.bytes, first, size, codes.data());
  } else {
    std::memcpy(codes.data(), tensor.bytes.data() + first, size);
  }
  const int sign =
      tensor.type == kFloat8E8M0 ? 0 : 1 << (ElementBits(tensor.type) - 1);
  std::vector<int> ordinals;
  ordinals.reserve(size);
  for (const uint8_t code : codes) {
    ordinals.push_back((code & sign) != 0 ? sign - code : code);
  }
  return ordinals;
}

uint64_t MaxOfCodes(const Tensor& a, const Tensor& b, uint64_t first,
                    size_t size, std::span<const uint16_t> kept) {
  const std::vector<int> x = Ordinals(a, first, size);
  const std::vector<int> y = Ordinals(b, first, size);
  int most = 0;
  const auto look = [&](size_t i) {
    most = std::max(most, std::abs(x[i] - y[i]));
  };
  if (kept.empty()) {
    for (size_t i = 0; i < size; ++i) look(i);
  } else {
    for (const uint16_t i : kept) look(i);
  }
  return static_cast<uint64_t>(most);
}

}  // namespace

uint64_t MaxUlp(const Tensor& a, const Tensor& b, uint64_t first, size_t size,
                std::span<const uint16_t> kept) {
  const int bits = ElementBits(a.type);
  if (bits <= 8) return MaxOfCodes(a, b, first, size, kept);
  const uint64_t offset = first * static_cast<uint64_t>(bits / 8);
  const std::byte* x = a.bytes.data() + offset;
  const std::byte* y = b.bytes.data() + offset;
  const bool all = kept.empty();
  switch (bits) {
    case 16:
      return all ? MaxSteps16(x, y, size) : MaxOf<int16_t>(x, y, kept);
    case 32:
      return all ? MaxSteps32(x, y, size) : MaxOf<int32_t>(x, y, kept);
    default:
      return all ? MaxSteps64(x, y, size) : MaxOf<int64_t>(x, y, kept);
  }
}

}  // namespace onnx_expose
