#ifndef ONNX_EXPOSE_COMPARE_PAIR_SAMPLE_H_
#define ONNX_EXPOSE_COMPARE_PAIR_SAMPLE_H_

#include <functional>
#include <vector>

#include "compare/pair_block.h"
#include "compare/pair_chunk.h"

namespace onnx_expose {

// Calls work(numbers) with some of the elements from all over the chunks; not
// at all for tensors for which a sample isn't worth its time. `forget`: files
// are too large to stay in memory.
void ForSample(const std::vector<TensorPair>& pairs,
               const std::vector<Chunk>& chunks, bool forget,
               const std::function<void(const PairBlock& numbers)>& work);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_PAIR_SAMPLE_H_
