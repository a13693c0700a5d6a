#ifndef ONNX_EXPOSE_COMPARE_PAIR_SAMPLE_H_
#define ONNX_EXPOSE_COMPARE_PAIR_SAMPLE_H_

#include <vector>

#include "compare/pair_block.h"
#include "compare/pair_chunk.h"

namespace onnx_expose {

struct PairSample {
  std::vector<double> d;  // |a - b|
  std::vector<double> b;
};

// Some of the elements that are finite in both, from all over the chunks;
// nothing of tensors for which a sample isn't worth its time.
PairSample SampleOf(const std::vector<TensorPair>& pairs,
                    const std::vector<Chunk>& chunks);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_PAIR_SAMPLE_H_
