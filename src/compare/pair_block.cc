#include "compare/pair_block.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "compare/pair_sums.h"
#include "onnx_expose/element_types.h"
#include "tensor/element_bits.h"
#include "tensor/file_bytes.h"
#include "tensor/numbers.h"
#include "tensor/vectorized.h"

namespace onnx_expose {
namespace {

template <typename T>
T Load(const Tensor& tensor, uint64_t i) {
  T x;
  std::memcpy(&x, tensor.bytes.data() + i * sizeof(T), sizeof(T));
  return x;
}

// Exactly, and only then as double: neighbours beyond 2^53 differ.
template <typename T>
void IntegerDifferences(const TensorPair& pair, uint64_t first, size_t size,
                        double* d) {
  for (size_t i = 0; i < size; ++i) {
    const T x = Load<T>(*pair.a, first + i);
    const T y = Load<T>(*pair.b, first + i);
    const auto off = x > y
                         ? static_cast<uint64_t>(x) - static_cast<uint64_t>(y)
                         : static_cast<uint64_t>(y) - static_cast<uint64_t>(x);
    d[i] = static_cast<double>(off);
  }
}

struct Complex {
  double real;
  double imaginary;
};

Complex ComplexAt(const Tensor& tensor, uint64_t i) {
  if (tensor.type == kComplex64) {
    return {Load<float>(tensor, 2 * i), Load<float>(tensor, 2 * i + 1)};
  }
  return {Load<double>(tensor, 2 * i), Load<double>(tensor, 2 * i + 1)};
}

// float32 as it lies in memory, other types widened.
const std::byte* FloatsAt(const Tensor& tensor, uint64_t first, size_t size,
                          float* widened) {
  if (tensor.type == kFloat) {
    return tensor.bytes.data() + first * sizeof(float);
  }
  ToFloats(tensor, first, size, widened);
  return reinterpret_cast<const std::byte*>(widened);
}

// The commonest type, without a detour to double.
ONNX_EXPOSE_VECTORIZED
double FiniteFloats(const std::byte* bytes, uint64_t size) {
  constexpr uint32_t kMagnitude = 0x7fffffff;
  constexpr uint32_t kInfinity = 0x7f800000;
  uint32_t most = 0;
  for (uint64_t i = 0; i < size; ++i) {
    uint32_t bits = 0;
    std::memcpy(&bits, bytes + i * sizeof(bits), sizeof(bits));
    bits &= kMagnitude;
    most = bits > most ? bits : most;
  }
  return most >= kInfinity ? -1 : std::bit_cast<float>(most);
}

}  // namespace

double FiniteMagnitude(const Tensor& tensor, uint64_t first, uint64_t size) {
  if (tensor.type == kFloat) {
    return FiniteFloats(tensor.bytes.data() + first * sizeof(float), size);
  }
  const bool fits = FitsFloat(tensor.type);
  std::array<float, kBlock> floats;
  std::array<double, kBlock> numbers;
  double most = 0;
  for (uint64_t at = 0; at < size; at += kBlock) {
    const size_t part = std::min<uint64_t>(kBlock, size - at);
    double of_block = 0;
    if (fits) {
      of_block =
          FiniteFloats(FloatsAt(tensor, first + at, part, floats.data()), part);
    } else {
      ToDoubles(tensor, first + at, part, numbers.data());
      const PairSums sums = SumEqual(numbers.data(), part);
      of_block = std::isfinite(sums.bb) ? sums.max_b : -1;
    }
    if (of_block < 0) return -1;
    most = std::max(most, of_block);
  }
  return most;
}

bool SameBits(const TensorPair& pair, uint64_t first, uint64_t size) {
  const auto bits = static_cast<uint64_t>(ElementBits(pair.a->type));
  if (pair.a->type != pair.b->type) return false;
  const uint64_t offset = first * bits / 8;
  const uint64_t length = (size * bits + 7) / 8;
  return std::memcmp(pair.a->bytes.data() + offset,
                     pair.b->bytes.data() + offset, length) == 0;
}

void ForgetElements(const TensorPair& pair, uint64_t first, uint64_t size) {
  for (const Tensor* tensor : {pair.a, pair.b}) {
    const auto bits = static_cast<uint64_t>(ElementBits(tensor->type));
    ForgetPages(tensor->owner,
                tensor->bytes.subspan(first * bits / 8, size * bits / 8));
  }
}

void PairBlock::Load(const TensorPair& pair, uint64_t first, size_t size) {
  ToDoubles(*pair.a, first, size, a_.data());
  ToDoubles(*pair.b, first, size, b_.data());
  not_finite_ = {};
  kept_size_ = 0;
  size_ = size;
  bool finite = true;
  TakeDifferences(pair, first, size, finite);
  if (!finite) Compact(size);
}

void PairBlock::LoadB(const TensorPair& pair, uint64_t first, size_t size) {
  ToDoubles(*pair.b, first, size, b_.data());
  not_finite_ = {};
  kept_size_ = 0;
  size_ = size;
}

FloatPairSums PairBlock::SumFloats(const TensorPair& pair, uint64_t first,
                                   size_t size, const PairLimits& limits) {
  not_finite_ = {};
  kept_size_ = 0;
  size_ = size;
  return SumFloatPairs(FloatsAt(*pair.a, first, size, float_a_.data()),
                       FloatsAt(*pair.b, first, size, float_b_.data()), size,
                       limits, d_.data());
}

void PairBlock::TakeDifferences(const TensorPair& pair, uint64_t first,
                                size_t size, bool& finite) {
  finite = Differences(a_.data(), b_.data(), size, d_.data());
  const int type = pair.a->type;
  if (type == pair.b->type && (type == kInt64 || type == kUint64)) {
    if (type == kInt64) {
      IntegerDifferences<int64_t>(pair, first, size, d_.data());
    } else {
      IntegerDifferences<uint64_t>(pair, first, size, d_.data());
    }
  } else if (IsComplexType(type) || IsComplexType(pair.b->type)) {
    for (size_t i = 0; i < size; ++i) {
      const Complex x = IsComplexType(type) ? ComplexAt(*pair.a, first + i)
                                            : Complex{a_[i], 0};
      const Complex y = IsComplexType(pair.b->type)
                            ? ComplexAt(*pair.b, first + i)
                            : Complex{b_[i], 0};
      d_[i] = std::hypot(x.real - y.real, x.imaginary - y.imaginary);
    }
  }
}

void PairBlock::Compact(size_t size) {
  size_t kept = 0;
  for (size_t i = 0; i < size; ++i) {
    const double x = a_[i];
    const double y = b_[i];
    const bool nan_x = std::isnan(x);
    const bool nan_y = std::isnan(y);
    if (std::isfinite(x) && std::isfinite(y)) {
      a_[kept] = x;
      b_[kept] = y;
      d_[kept] = d_[i];
      kept_[kept++] = static_cast<uint16_t>(i);
    } else if (nan_x || nan_y) {
      not_finite_.nan_only_a += nan_y ? 0 : 1;
      not_finite_.nan_only_b += nan_x ? 0 : 1;
    } else {
      not_finite_.inf_differs += x == y ? 0 : 1;
    }
  }
  kept_size_ = size_ = kept;
}

double PairBlock::ComplexDot(const TensorPair& pair, uint64_t first) const {
  double dot = 0;
  for (size_t i = 0; i < size_; ++i) {
    const uint64_t at = first + PositionOf(i);
    const Complex x = ComplexAt(*pair.a, at);
    const Complex y = ComplexAt(*pair.b, at);
    dot += x.real * y.real + x.imaginary * y.imaginary;
  }
  return dot;
}

}  // namespace onnx_expose
