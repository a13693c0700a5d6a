#ifndef ONNX_EXPOSE_COMPARE_FLATTENED_H_
#define ONNX_EXPOSE_COMPARE_FLATTENED_H_

#include <string>
#include <vector>

#include "compare/pair_block.h"
#include "onnx_expose/compare.h"
#include "onnx_expose/tensor.h"

namespace onnx_expose {

struct Mismatch {
  Verdict verdict = Verdict::kIdentical;
  std::string reason;
};

// Tensors that can be compared one by one; a mismatch where they can't. Points
// into both.
class Flattened {
 public:
  // `same_types`: floating point of other widths is a mismatch.
  Flattened(const Data& a, const Data& b, bool same_types)
      : same_types_(same_types) {
    Add(a, b);
  }
  const std::vector<TensorPair>& pairs() const { return pairs_; }
  const Mismatch& mismatch() const { return mismatch_; }
  // Whether `pairs` is all of both sides, in spite of a mismatch of types.
  bool complete() const { return complete_; }

 private:
  void Say(Verdict verdict, std::string reason, bool complete = false);
  void Add(const Data& a, const Data& b);
  void AddTensors(const Tensor& a, const Tensor& b);

  bool same_types_;
  bool complete_ = true;
  std::vector<TensorPair> pairs_;
  Mismatch mismatch_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_FLATTENED_H_
