#include "compare/pair_sample.h"

#include <algorithm>
#include <memory>

namespace onnx_expose {

void ForSample(const std::vector<TensorPair>& pairs,
               const std::vector<Chunk>& chunks, bool forget,
               const std::function<void(const PairBlock& numbers)>& work) {
  // Small pieces, for neighbours are alike.
  constexpr size_t kPiece = 1024;
  constexpr size_t kPieces = 64;
  uint64_t count = 0;
  for (const Chunk& chunk : chunks) count += chunk.size;
  if (count < 2 * kPieces * kPiece) return;
  const auto numbers = std::make_unique<PairBlock>();
  const size_t of_chunk = (kPieces + chunks.size() - 1) / chunks.size();
  for (size_t i = 0; i < chunks.size(); ++i) {
    const Chunk& chunk = chunks[i];
    const TensorPair& pair = pairs[chunk.pair];
    const uint64_t places = (chunk.size + kPiece - 1) / kPiece;
    for (size_t k = 0; k < of_chunk; ++k) {
      // Somewhere in it, not always where a row begins.
      const uint64_t at = (i * 37 + k * places / of_chunk) % places * kPiece;
      numbers->Load(pair, chunk.first + at,
                    std::min<uint64_t>(kPiece, chunk.size - at));
      work(*numbers);
    }
    if (forget) ForgetElements(pair, chunk.first, chunk.size);
  }
}

}  // namespace onnx_expose
