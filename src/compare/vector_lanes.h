#ifndef ONNX_EXPOSE_COMPARE_VECTOR_LANES_H_
#define ONNX_EXPOSE_COMPARE_VECTOR_LANES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Vectors of the compiler, because it may not itself change the order of
// additions.

namespace onnx_expose {

constexpr size_t kLanes = 4;
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));
using Counts = int64_t __attribute__((vector_size(kLanes * sizeof(int64_t))));

// Vectors that are returned from functions which are always inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

#define ONNX_EXPOSE_INLINED __attribute__((always_inline))
#define ONNX_EXPOSE_INLINE static inline ONNX_EXPOSE_INLINED

template <typename Vector>
ONNX_EXPOSE_INLINE Vector LoadVector(const void* from) {
  Vector x;
  std::memcpy(&x, from, sizeof(x));
  return x;
}

ONNX_EXPOSE_INLINE Lanes Magnitude(const Lanes& x) {
  const Counts bits = (Counts)x & INT64_MAX;
  return (Lanes)bits;
}

template <typename Vector>
ONNX_EXPOSE_INLINE Vector Greater(const Vector& x, const Vector& y) {
  return x > y ? x : y;
}

ONNX_EXPOSE_INLINE double Total(const Lanes& x) {
  return (x[0] + x[1]) + (x[2] + x[3]);
}

ONNX_EXPOSE_INLINE int64_t Total(const Counts& x) {
  return x[0] + x[1] + x[2] + x[3];
}

ONNX_EXPOSE_INLINE bool IsAny(const Counts& x) {
  return (x[0] | x[1] | x[2] | x[3]) != 0;
}

ONNX_EXPOSE_INLINE double Greatest(const Lanes& x) {
  return std::max(std::max(x[0], x[1]), std::max(x[2], x[3]));
}

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_VECTOR_LANES_H_
