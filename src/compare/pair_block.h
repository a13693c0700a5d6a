#ifndef ONNX_EXPOSE_COMPARE_PAIR_BLOCK_H_
#define ONNX_EXPOSE_COMPARE_PAIR_BLOCK_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "compare/float_pairs.h"
#include "onnx_expose/tensor.h"
#include "tensor/reductions.h"

namespace onnx_expose {

// Two tensors of one shape.
struct TensorPair {
  const Tensor* a = nullptr;
  const Tensor* b = nullptr;
};

// What isn't finite, by position.
struct NotFinite {
  uint64_t nan_only_a = 0;
  uint64_t nan_only_b = 0;
  uint64_t inf_differs = 0;  // neither is NaN
};

// Up to kBlock elements of both as numbers, small enough for the first-level
// cache. Of complex numbers `a` and `b` are magnitudes, `d` is the magnitude of
// the difference.
class PairBlock {
 public:
  // Elements that are finite in both, moved together.
  void Load(const TensorPair& pair, uint64_t first, size_t size);

  // b() alone, whatever its elements are; d() stays.
  void LoadB(const TensorPair& pair, uint64_t first, size_t size);

  // Of types that fit float32: d() alone; like Load if all is finite, else
  // nothing counts. `max_ulp` is right of float32 itself.
  FloatPairSums SumFloats(const TensorPair& pair, uint64_t first, size_t size,
                          const PairLimits& limits);

  size_t size() const { return size_; }
  const double* a() const { return a_.data(); }
  const double* b() const { return b_.data(); }
  const double* d() const { return d_.data(); }
  const NotFinite& not_finite() const { return not_finite_; }
  // Positions of the elements that were kept; empty: all of them were.
  std::span<const uint16_t> kept() const { return {kept_.data(), kept_size_}; }
  size_t PositionOf(size_t i) const { return kept_size_ == 0 ? i : kept_[i]; }
  // Complex numbers: sum of the real parts of a times the conjugate of b.
  double ComplexDot(const TensorPair& pair, uint64_t first) const;

 private:
  void TakeDifferences(const TensorPair& pair, uint64_t first, size_t size,
                       bool& finite);
  void Compact(size_t size);

  alignas(64) std::array<double, kBlock> a_;
  alignas(64) std::array<double, kBlock> b_;
  alignas(64) std::array<double, kBlock> d_;
  alignas(64) std::array<float, kBlock> float_a_;  // of other types
  alignas(64) std::array<float, kBlock> float_b_;
  std::array<uint16_t, kBlock> kept_;
  size_t kept_size_ = 0;
  size_t size_ = 0;
  NotFinite not_finite_;
};

// The greatest magnitude of elements of a tensor; -1 if one isn't finite.
double FiniteMagnitude(const Tensor& tensor, uint64_t first, uint64_t size);

// Their part of files takes no memory until it is read again. Elements as in
// SameBits.
void ForgetElements(const TensorPair& pair, uint64_t first, uint64_t size);

// Whether `size` elements from `first` on have the same bits. Blocks begin at
// multiples of 8 elements.
bool SameBits(const TensorPair& pair, uint64_t first, uint64_t size);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_PAIR_BLOCK_H_
