#ifndef ONNX_EXPOSE_COMPARE_ARGMAX_H_
#define ONNX_EXPOSE_COMPARE_ARGMAX_H_

#include <cstdint>
#include <vector>

#include "compare/pair_block.h"
#include "onnx_expose/tensor.h"

namespace onnx_expose {

// Whether rows along the last axis say something about classes: numbers of
// rank 1 to 3, as class scores and logits of tokens have it, rows of 2 to a
// million.
bool HasClasses(const Tensor& tensor);

// How many rows, of `rows` from row `first` on, have their greatest element at
// the same place. As numpy's argmax: the first of several, a NaN above all.
uint64_t SameArgmax(const TensorPair& pair, uint64_t first, uint64_t rows);

// The same of all rows where they are long, without reading them a second time:
// the greatest elements of blocks are noted while the blocks are at hand.
class LongRows {
 public:
  static bool AreIn(const TensorPair& pair);

  explicit LongRows(const TensorPair& pair);
  // Of the block, a full one, that begins at element `first`. Several threads
  // may note different blocks.
  void Note(uint64_t first);
  // After all full blocks were noted.
  uint64_t SameArgmax() const;

 private:
  using Maxima = std::vector<float>;  // of blocks; NaN if there is one
  static uint64_t Argmax(const Tensor& tensor, const Maxima& maxima,
                         uint64_t first, uint64_t size);

  TensorPair pair_;
  Maxima a_;
  Maxima b_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_ARGMAX_H_
