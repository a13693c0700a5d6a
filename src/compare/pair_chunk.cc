#include "compare/pair_chunk.h"

#include <algorithm>

#include "compare/ulp.h"
#include "onnx_expose/element_types.h"
#include "tensor/element_bits.h"
#include "tensor/numbers.h"

namespace onnx_expose {
namespace {

void AddSums(const PairSums& sums, Chunk& chunk) {
  chunk.sums.abs.Add(sums.abs);
  chunk.sums.rel.Add(sums.rel);
  chunk.sums.aa.Add(sums.aa);
  chunk.sums.bb.Add(sums.bb);
  chunk.sums.ab.Add(sums.ab);
  chunk.sums.dd.Add(sums.dd);
  chunk.max_rel = std::max(chunk.max_rel, sums.max_rel);
  chunk.max_a = std::max(chunk.max_a, sums.max_a);
  chunk.max_b = std::max(chunk.max_b, sums.max_b);
}

void AddNotFinite(const NotFinite& numbers, Chunk& chunk) {
  chunk.not_finite.nan_only_a += numbers.nan_only_a;
  chunk.not_finite.nan_only_b += numbers.nan_only_b;
  chunk.not_finite.inf_differs += numbers.inf_differs;
}

bool MayBeUnsure(uint64_t outside, const PairLimits& limits) {
  return outside > 0 && limits.most > limits.atol;
}

double ElementOf(const Tensor& tensor, uint64_t i) {
  double number = 0;
  ToDoubles(tensor, i, 1, &number);
  return number;
}

}  // namespace

void ChunkWorker::Look(const TensorPair& pair, const ChunkTask& task,
                       Chunk& chunk) {
  chunk.max_b = 0;
  for (size_t i = 0; i * kBlock < chunk.size; ++i) {
    const Block block{i, chunk.first + i * kBlock,
                      std::min<uint64_t>(kBlock, chunk.size - i * kBlock)};
    const PairSums sums = LookAtBlock(pair, task, block, chunk);
    AddSums(sums, chunk);
    AddNotFinite(numbers_.not_finite(), chunk);
    chunk.compared += numbers_.size();
    if (!chunk.equal[i] && numbers_.size() > 0 &&
        sums.max_abs > chunk.max_abs) {
      TakeWorst(pair, block, sums.max_abs, chunk);
    }
    if (task.long_rows != nullptr) {
      if (block.size == kBlock) task.long_rows->Note(block.first);
    } else if (task.classes) {
      CountArgmax(pair, block, chunk);
    }
  }
}

// Of the rows that end with the block or in it; after the chunk's last block,
// of the one that ends in another chunk as well.
void ChunkWorker::CountArgmax(const TensorPair& pair, const Block& block,
                              Chunk& chunk) {
  const auto row = static_cast<uint64_t>(pair.a->shape.back());
  const uint64_t past = block.first + block.size;
  const bool last = past == chunk.first + chunk.size;
  // Rows that begin before the chunk are another chunk's.
  const uint64_t first =
      std::max(block.first / row, (chunk.first + row - 1) / row);
  const uint64_t end = last ? (past + row - 1) / row : past / row;
  if (end > first) chunk.same_argmax += SameArgmax(pair, first, end - first);
}

PairSums ChunkWorker::LookAtBlock(const TensorPair& pair, const ChunkTask& task,
                                  const Block& block, Chunk& chunk) {
  if (!SameBits(pair, block.first, block.size)) {
    chunk.identical = false;
    return Differing(pair, task, block, chunk);
  }
  numbers_.LoadB(pair, block.first, block.size);
  const PairSums sums = SumEqual(numbers_.b(), block.size);
  // Not finite if one of them isn't.
  if (!std::isfinite(sums.bb)) return Differing(pair, task, block, chunk);
  chunk.equal.set(block.index);
  if (order_ != nullptr) order_->AddZeros(number_, block.size);
  if (chunk.max_abs < 0) {
    chunk.max_abs = 0;
    chunk.worst = chunk.before + block.first;
    chunk.worst_a = chunk.worst_b = numbers_.b()[0];
  }
  return sums;
}

PairSums ChunkWorker::Differing(const TensorPair& pair, const ChunkTask& task,
                                const Block& block, Chunk& chunk) {
  if (FitsFloat(pair.a->type) && FitsFloat(pair.b->type)) {
    const FloatPairSums all =
        numbers_.SumFloats(pair, block.first, block.size, task.limits);
    if (all.finite) {
      if (order_ != nullptr) {
        order_->Add(number_, numbers_.d(), numbers_.size(), all.equal);
      }
      if (MayBeUnsure(all.outside, task.limits)) {
        numbers_.LoadB(pair, block.first, block.size);
      }
      AddOutside(all.outside, task.limits, block, chunk);
      if (pair.a->type == kFloat) {
        chunk.max_ulp = std::max<uint64_t>(chunk.max_ulp, all.max_ulp);
      } else if (task.ulp) {
        AddUlp(pair, block, chunk);
      }
      return all.sums;
    }
  }
  numbers_.Load(pair, block.first, block.size);
  const double* b = numbers_.b();
  const double* d = numbers_.d();
  const size_t size = numbers_.size();
  if (order_ != nullptr) order_->Add(number_, d, size, CountZeros(d, size));
  PairSums sums = SumPairs(numbers_.a(), b, d, size, task.limits.floor);
  AddOutside(CountOutside(b, d, size, task.limits.atol, task.limits.rtol),
             task.limits, block, chunk);
  if (IsComplexType(pair.a->type) && IsComplexType(pair.b->type)) {
    sums.ab = numbers_.ComplexDot(pair, block.first);
  }
  if (task.ulp && size > 0) AddUlp(pair, block, chunk);
  return sums;
}

// Any limit in between has the same number outside, if both ends have.
void ChunkWorker::AddOutside(uint64_t outside, const PairLimits& limits,
                             const Block& block, Chunk& chunk) {
  if (MayBeUnsure(outside, limits) &&
      outside != CountOutside(numbers_.b(), numbers_.d(), numbers_.size(),
                              limits.most, limits.rtol)) {
    chunk.unsure.set(block.index);
  } else {
    chunk.outside += outside;
  }
}

void ChunkWorker::AddUlp(const TensorPair& pair, const Block& block,
                         Chunk& chunk) {
  chunk.max_ulp = std::max(chunk.max_ulp, MaxUlp(*pair.a, *pair.b, block.first,
                                                 block.size, numbers_.kept()));
}

void ChunkWorker::TakeWorst(const TensorPair& pair, const Block& block,
                            double max_abs, Chunk& chunk) {
  const double* d = numbers_.d();
  const auto at =
      static_cast<size_t>(std::find(d, d + numbers_.size(), max_abs) - d);
  const uint64_t position = block.first + numbers_.PositionOf(at);
  chunk.max_abs = max_abs;
  chunk.worst = chunk.before + position;
  chunk.worst_a = ElementOf(*pair.a, position);
  chunk.worst_b = ElementOf(*pair.b, position);
}

void ChunkWorker::LookAgain(const TensorPair& pair, const PairLimits& limits,
                            bool order, Chunk& chunk) {
  for (size_t block = 0; block * kBlock < chunk.size; ++block) {
    if (chunk.equal[block] || (!order && !chunk.unsure[block])) continue;
    numbers_.Load(pair, chunk.first + block * kBlock,
                  std::min<uint64_t>(kBlock, chunk.size - block * kBlock));
    if (order) {
      const double* d = numbers_.d();
      order_->Add(number_, d, numbers_.size(), CountZeros(d, numbers_.size()));
    }
    if (!chunk.unsure[block]) continue;
    chunk.outside += CountOutside(numbers_.b(), numbers_.d(), numbers_.size(),
                                  limits.atol, limits.rtol);
  }
  chunk.unsure.reset();
}

void ChunkWorker::SumScaled(const TensorPair& pair, const Scales& scales,
                            Chunk& chunk) {
  const Sum rel = chunk.sums.rel;
  chunk.sums = {};
  chunk.sums.rel = rel;
  const bool complex = IsComplexType(pair.a->type);
  for (uint64_t at = 0; at < chunk.size; at += kBlock) {
    const uint64_t first = chunk.first + at;
    numbers_.Load(pair, first, std::min<uint64_t>(kBlock, chunk.size - at));
    for (size_t i = 0; i < numbers_.size(); ++i) {
      const double x = numbers_.a()[i] * scales.a;
      const double y = numbers_.b()[i] * scales.b;
      const double off = numbers_.d()[i] * scales.d;
      chunk.sums.abs.Add(off);
      chunk.sums.aa.Add(x * x);
      chunk.sums.bb.Add(y * y);
      chunk.sums.dd.Add(off * off);
      if (!complex) chunk.sums.ab.Add(x * y);
    }
    if (complex) {
      chunk.sums.ab.Add(numbers_.ComplexDot(pair, first) * scales.a * scales.b);
    }
  }
}

}  // namespace onnx_expose
