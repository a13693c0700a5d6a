#ifndef ONNX_EXPOSE_COMPARE_PAIR_CHUNK_H_
#define ONNX_EXPOSE_COMPARE_PAIR_CHUNK_H_

#include <bitset>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "compare/argmax.h"
#include "compare/float_pairs.h"
#include "compare/order_statistics.h"
#include "compare/pair_block.h"

namespace onnx_expose {

constexpr size_t kBlocksOfChunk = 128;
constexpr uint64_t kChunk = kBlocksOfChunk * kBlock;

// Neumaier's: errors of additions are summed as well.
class Sum {
 public:
  void Add(double x) {
    const double next = sum_ + x;
    error_ +=
        std::abs(sum_) >= std::abs(x) ? (sum_ - next) + x : (x - next) + sum_;
    sum_ = next;
  }
  double value() const { return std::isfinite(error_) ? sum_ + error_ : sum_; }

 private:
  double sum_ = 0;
  double error_ = 0;
};

struct Sums {
  Sum abs, rel, aa, bb, ab, dd;
};

// What a worker does at once, and what came of it.
struct Chunk {
  size_t pair = 0;
  uint64_t first = 0;
  uint64_t size = 0;
  uint64_t before = 0;  // elements of the pairs before it

  bool identical = true;
  std::bitset<kBlocksOfChunk> equal;  // blocks that needn't be looked at again
  uint64_t compared = 0;
  NotFinite not_finite;
  Sums sums;
  double max_abs = -1;
  uint64_t worst = 0;  // position of max_abs
  double worst_a = 0;
  double worst_b = 0;
  double max_rel = 0;
  double max_a = 0;
  double max_b = 0;
  uint64_t max_ulp = 0;
  uint64_t same_argmax = 0;
  uint64_t outside = 0;
  // Blocks that aren't in `outside` yet: it depends on what atol turns out to
  // be.
  std::bitset<kBlocksOfChunk> unsure;
};

// Numbers are multiplied by these powers of two before they are squared.
struct Scales {
  double a = 1;
  double b = 1;
  double d = 1;
};

// Of all chunks: what is asked.
struct ChunkTask {
  PairLimits limits;
  bool ulp = false;
  bool classes = false;           // compare the argmax of rows
  LongRows* long_rows = nullptr;  // takes care of them, if there are any
};

// One thread's work.
class ChunkWorker {
 public:
  // `number`: of the worker, to `order`, which may be nullptr.
  ChunkWorker(OrderStatistics* order, size_t number)
      : order_(order), number_(number) {}

  // The first pass: all of the chunk's results.
  void Look(const TensorPair& pair, const ChunkTask& task, Chunk& chunk);
  // A later one: `outside` of blocks that are unsure, and what `order` asks
  // for.
  void LookAgain(const TensorPair& pair, const PairLimits& limits, bool order,
                 Chunk& chunk);
  // Sums again (all but `rel`), of numbers whose squares aren't normal.
  void SumScaled(const TensorPair& pair, const Scales& scales, Chunk& chunk);

 private:
  struct Block {
    size_t index = 0;
    uint64_t first = 0;
    size_t size = 0;
  };
  PairSums LookAtBlock(const TensorPair& pair, const ChunkTask& task,
                       const Block& block, Chunk& chunk);
  PairSums Differing(const TensorPair& pair, const ChunkTask& task,
                     const Block& block, Chunk& chunk);
  // Of b() and d().
  void AddOutside(uint64_t outside, const PairLimits& limits,
                  const Block& block, Chunk& chunk);
  void AddUlp(const TensorPair& pair, const Block& block, Chunk& chunk);
  void CountArgmax(const TensorPair& pair, const Block& block, Chunk& chunk);
  void TakeWorst(const TensorPair& pair, const Block& block, double max_abs,
                 Chunk& chunk);

  OrderStatistics* order_;
  size_t number_;
  PairBlock numbers_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_PAIR_CHUNK_H_
