#include "compare/metrics.h"

#include <algorithm>
#include <atomic>
#include <bitset>
#include <cmath>
#include <limits>
#include <memory>

#include "compare/argmax.h"
#include "compare/order_statistics.h"
#include "compare/pair_sums.h"
#include "compare/parallel.h"
#include "compare/ulp.h"
#include "onnx_expose/element_types.h"
#include "tensor/element_bits.h"
#include "tensor/file_bytes.h"
#include "tensor/numbers.h"

namespace onnx_expose {
namespace {

constexpr size_t kBlocksOfChunk = 128;
constexpr uint64_t kChunk = kBlocksOfChunk * kBlock;
// Outside of this a square may not be a normal double.
constexpr double kLargest = 0x1p480;
constexpr double kSmallest = 0x1p-480;

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
};

// Numbers are multiplied by these powers of two before they are squared.
struct Scales {
  double a = 1;
  double b = 1;
  double d = 1;
};

double ScaleOf(double largest) {
  if (largest == 0 || !std::isfinite(largest)) return 1;
  if (largest <= kLargest && largest >= kSmallest) return 1;
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));
}

class PairMetrics {
 public:
  PairMetrics(const std::vector<TensorPair>& pairs, const Tolerance& tolerance,
              double relative_floor, size_t workers, double peak);
  Metrics Run(bool& identical);

 private:
  void ForChunks(const std::function<void(size_t worker, Chunk&)>& work);
  bool AllEqual();
  void Look(size_t worker, Chunk& chunk);
  void LookAtBlock(size_t worker, Chunk& chunk, size_t block);
  void LookAtRows(Chunk& chunk);
  void TakeSample();
  bool CountOutside();
  void LookAgain(size_t worker, Chunk& chunk, bool count, bool order);
  void SumScaled(size_t worker, Chunk& chunk, const Scales& scales);
  void Merge();
  void MergeSums();
  void FillIn(const Scales& scales);
  void FillInOrder();
  Metrics OfEqual();

  const std::vector<TensorPair>& pairs_;
  const Tolerance& tolerance_;
  double floor_;
  size_t workers_;
  double peak_;  // a guess
  std::vector<Chunk> chunks_;
  std::vector<std::unique_ptr<PairBlock>> blocks_;  // one for each worker
  OrderStatistics order_;
  bool ulp_ = true;
  bool classes_ = false;
  Metrics all_;
  Sums sums_;
  double max_a_ = 0;
  double max_b_ = 0;
  uint64_t same_argmax_ = 0;
  bool identical_ = true;
};

PairMetrics::PairMetrics(const std::vector<TensorPair>& pairs,
                         const Tolerance& tolerance, double relative_floor,
                         size_t workers, double peak)
    : pairs_(pairs),
      tolerance_(tolerance),
      floor_(std::max(relative_floor, std::numeric_limits<double>::min())),
      workers_(workers),
      peak_(peak),
      order_(workers) {
  for (size_t p = 0; p < pairs.size(); ++p) {
    const uint64_t count = ElementCount(pairs[p].a->shape);
    ulp_ = ulp_ && pairs[p].a->type == pairs[p].b->type &&
           IsFloatType(pairs[p].a->type);
    for (uint64_t first = 0; first < count; first += kChunk) {
      Chunk chunk;
      chunk.pair = p;
      chunk.first = first;
      chunk.size = std::min(kChunk, count - first);
      chunk.before = all_.count;
      chunks_.push_back(chunk);
    }
    all_.count += count;
  }
  classes_ = pairs.size() == 1 && all_.count > 0 && HasClasses(*pairs[0].a) &&
             HasClasses(*pairs[0].b);
  for (size_t w = 0; w < workers; ++w) {
    blocks_.push_back(std::make_unique<PairBlock>());
  }
}

void PairMetrics::ForChunks(
    const std::function<void(size_t worker, Chunk&)>& work) {
  ParallelFor(chunks_.size(), workers_, [&](size_t worker, size_t i) {
    Chunk& chunk = chunks_[i];
    work(worker, chunk);
    const TensorPair& pair = pairs_[chunk.pair];
    for (const Tensor* tensor : {pair.a, pair.b}) {
      const auto bits = static_cast<uint64_t>(ElementBits(tensor->type));
      ForgetPages(tensor->owner, tensor->bytes.subspan(chunk.first * bits / 8,
                                                       chunk.size * bits / 8));
    }
  });
}

// Whether all bits are the same, with finite elements; then `compared` and
// `max_b` of each chunk are known, and little more need be done.
bool PairMetrics::AllEqual() {
  std::atomic<bool> equal = true;
  ForChunks([&](size_t, Chunk& chunk) {
    if (!equal) return;
    const TensorPair& pair = pairs_[chunk.pair];
    chunk.max_b = SameBits(pair, chunk.first, chunk.size)
                      ? FiniteMagnitude(*pair.b, chunk.first, chunk.size)
                      : -1;
    if (chunk.max_b < 0) equal = false;
  });
  return equal;
}

void PairMetrics::Look(size_t worker, Chunk& chunk) {
  chunk.max_b = 0;
  for (size_t block = 0; block * kBlock < chunk.size; ++block) {
    LookAtBlock(worker, chunk, block);
  }
  if (classes_) LookAtRows(chunk);
}

void PairMetrics::LookAtBlock(size_t worker, Chunk& chunk, size_t block) {
  const TensorPair& pair = pairs_[chunk.pair];
  PairBlock& numbers = *blocks_[worker];
  const uint64_t first = chunk.first + block * kBlock;
  const size_t size = std::min<uint64_t>(kBlock, chunk.size - block * kBlock);
  const bool same = SameBits(pair, first, size);
  chunk.identical = chunk.identical && same;
  PairSums sums;
  if (same) {
    numbers.LoadEqual(pair, first, size);
    sums = SumEqual(numbers.b(), size);
  }
  // Not finite if one of them isn't.
  if (same && std::isfinite(sums.bb)) {
    chunk.equal.set(block);
    order_.AddZeros(worker, size);
    if (chunk.max_abs < 0) {
      chunk.max_abs = 0;
      chunk.worst = chunk.before + first;
      chunk.worst_a = chunk.worst_b = numbers.b()[0];
    }
  } else {
    numbers.Load(pair, first, size);
    order_.Add(worker, numbers.d(), numbers.size());
    sums =
        SumPairs(numbers.a(), numbers.b(), numbers.d(), numbers.size(), floor_);
    chunk.outside += onnx_expose::CountOutside(
        numbers.b(), numbers.d(), numbers.size(),
        tolerance_.atol + tolerance_.of_peak * peak_, tolerance_.rtol);
    if (IsComplexType(pair.a->type) && IsComplexType(pair.b->type)) {
      sums.ab = numbers.ComplexDot(pair, first);
    }
    if (ulp_ && numbers.size() > 0) {
      chunk.max_ulp = std::max(
          chunk.max_ulp, MaxUlp(*pair.a, *pair.b, first, size, numbers.kept()));
    }
  }
  chunk.compared += numbers.size();
  chunk.not_finite.nan_only_a += numbers.not_finite().nan_only_a;
  chunk.not_finite.nan_only_b += numbers.not_finite().nan_only_b;
  chunk.not_finite.inf_differs += numbers.not_finite().inf_differs;
  chunk.sums.abs.Add(sums.abs);
  chunk.sums.rel.Add(sums.rel);
  chunk.sums.aa.Add(sums.aa);
  chunk.sums.bb.Add(sums.bb);
  chunk.sums.ab.Add(sums.ab);
  chunk.sums.dd.Add(sums.dd);
  chunk.max_rel = std::max(chunk.max_rel, sums.max_rel);
  chunk.max_a = std::max(chunk.max_a, sums.max_a);
  chunk.max_b = std::max(chunk.max_b, sums.max_b);
  if (chunk.equal[block] || numbers.size() == 0 ||
      sums.max_abs <= chunk.max_abs) {
    return;
  }
  const auto at = static_cast<size_t>(
      std::find(numbers.d(), numbers.d() + numbers.size(), sums.max_abs) -
      numbers.d());
  chunk.max_abs = sums.max_abs;
  chunk.worst = chunk.before + first + numbers.PositionOf(at);
  chunk.worst_a = numbers.a()[at];
  chunk.worst_b = numbers.b()[at];
}

// Rows that begin in the chunk.
void PairMetrics::LookAtRows(Chunk& chunk) {
  const TensorPair& pair = pairs_[chunk.pair];
  const auto row = static_cast<uint64_t>(pair.a->shape.back());
  const uint64_t first = (chunk.first + row - 1) / row;
  const uint64_t end = (chunk.first + chunk.size + row - 1) / row;
  chunk.same_argmax =
      chunk.identical && chunk.first % row == 0 && chunk.size % row == 0
          ? end - first
          : SameArgmax(*pair.a, *pair.b, first, end - first);
}

// What percentiles and the peak may be, so that one pass may be enough.
void PairMetrics::TakeSample() {
  constexpr size_t kBlocks = 64;
  if (chunks_.size() < 4) return;
  std::vector<double> sample;
  PairBlock& numbers = *blocks_[0];
  const bool guess = peak_ == 0;
  for (size_t i = 0; i < kBlocks; ++i) {
    const Chunk& chunk = chunks_[i * chunks_.size() / kBlocks];
    const uint64_t blocks = (chunk.size + kBlock - 1) / kBlock;
    // Somewhere in it, not always where a row begins.
    const uint64_t at = i * 37 % blocks * kBlock;
    numbers.Load(pairs_[chunk.pair], chunk.first + at,
                 std::min<uint64_t>(kBlock, chunk.size - at));
    sample.insert(sample.end(), numbers.d(), numbers.d() + numbers.size());
    if (!guess) continue;
    for (size_t k = 0; k < numbers.size(); ++k) {
      peak_ = std::max(peak_, std::abs(numbers.b()[k]));
    }
  }
  order_.Expect(std::move(sample));
}

// Adds up what the first pass counted with a guess at the peak. False if that
// isn't right; then nothing is counted yet.
bool PairMetrics::CountOutside() {
  uint64_t outside = 0;
  for (const Chunk& chunk : chunks_) outside += chunk.outside;
  // With a greater peak there aren't more.
  const bool right = tolerance_.of_peak == 0 || peak_ == max_b_ ||
                     (peak_ < max_b_ && outside == 0);
  if (!right) {
    for (Chunk& chunk : chunks_) chunk.outside = 0;
  }
  return right;
}

void PairMetrics::LookAgain(size_t worker, Chunk& chunk, bool count,
                            bool order) {
  const TensorPair& pair = pairs_[chunk.pair];
  PairBlock& numbers = *blocks_[worker];
  const double atol = tolerance_.atol + tolerance_.of_peak * max_b_;
  for (size_t block = 0; block * kBlock < chunk.size; ++block) {
    if (chunk.equal[block]) continue;
    numbers.Load(pair, chunk.first + block * kBlock,
                 std::min<uint64_t>(kBlock, chunk.size - block * kBlock));
    if (order) order_.Add(worker, numbers.d(), numbers.size());
    if (!count) continue;
    chunk.outside += onnx_expose::CountOutside(
        numbers.b(), numbers.d(), numbers.size(), atol, tolerance_.rtol);
  }
}

void PairMetrics::SumScaled(size_t worker, Chunk& chunk, const Scales& scales) {
  const TensorPair& pair = pairs_[chunk.pair];
  PairBlock& numbers = *blocks_[worker];
  const Sum rel = chunk.sums.rel;
  chunk.sums = {};
  chunk.sums.rel = rel;
  for (uint64_t at = 0; at < chunk.size; at += kBlock) {
    const uint64_t first = chunk.first + at;
    numbers.Load(pair, first, std::min<uint64_t>(kBlock, chunk.size - at));
    const bool complex = IsComplexType(pair.a->type);
    for (size_t i = 0; i < numbers.size(); ++i) {
      const double x = numbers.a()[i] * scales.a;
      const double y = numbers.b()[i] * scales.b;
      const double off = numbers.d()[i] * scales.d;
      chunk.sums.abs.Add(off);
      chunk.sums.aa.Add(x * x);
      chunk.sums.bb.Add(y * y);
      chunk.sums.dd.Add(off * off);
      if (!complex) chunk.sums.ab.Add(x * y);
    }
    if (complex) {
      chunk.sums.ab.Add(numbers.ComplexDot(pair, first) * scales.a * scales.b);
    }
  }
}

void PairMetrics::Merge() {
  all_.max_abs = 0;
  double worst = -1;
  for (const Chunk& chunk : chunks_) {
    identical_ = identical_ && chunk.identical;
    all_.compared += chunk.compared;
    all_.nan_only_a += chunk.not_finite.nan_only_a;
    all_.nan_only_b += chunk.not_finite.nan_only_b;
    all_.inf_differs += chunk.not_finite.inf_differs;
    all_.max_rel = std::max(all_.max_rel, chunk.max_rel);
    max_a_ = std::max(max_a_, chunk.max_a);
    max_b_ = std::max(max_b_, chunk.max_b);
    same_argmax_ += chunk.same_argmax;
    if (ulp_) all_.max_ulp = std::max(all_.max_ulp.value_or(0), chunk.max_ulp);
    if (chunk.max_abs <= worst) continue;
    worst = all_.max_abs = chunk.max_abs;
    all_.worst_index = chunk.worst;
    all_.worst_a = chunk.worst_a;
    all_.worst_b = chunk.worst_b;
  }
  if (all_.compared == 0) all_.max_ulp.reset();
}

void PairMetrics::MergeSums() {
  sums_ = {};
  for (const Chunk& chunk : chunks_) {
    sums_.abs.Add(chunk.sums.abs.value());
    sums_.rel.Add(chunk.sums.rel.value());
    sums_.aa.Add(chunk.sums.aa.value());
    sums_.bb.Add(chunk.sums.bb.value());
    sums_.ab.Add(chunk.sums.ab.value());
    sums_.dd.Add(chunk.sums.dd.value());
  }
}

void PairMetrics::FillIn(const Scales& scales) {
  if (classes_) {
    const auto rows =
        all_.count / static_cast<uint64_t>(pairs_[0].a->shape.back());
    all_.argmax_agreement =
        static_cast<double>(same_argmax_) / static_cast<double>(rows);
  }
  if (all_.compared == 0) return;
  const auto count = static_cast<double>(all_.compared);
  all_.mean_abs = sums_.abs.value() / count / scales.d;
  all_.mean_rel = sums_.rel.value() / count;
  const double aa = sums_.aa.value();
  const double bb = sums_.bb.value();
  const double dd = sums_.dd.value();
  if (aa > 0 && bb > 0) {
    all_.cosine = std::clamp(sums_.ab.value() / (std::sqrt(aa) * std::sqrt(bb)),
                             -1.0, 1.0);
  }
  if (dd == 0) return;
  all_.snr_db = 10 * std::log10(bb / dd) + 20 * std::log10(scales.d / scales.b);
  all_.psnr_db = 20 * std::log10(max_b_) + 20 * std::log10(scales.d) -
                 10 * std::log10(dd / count);
}

void PairMetrics::FillInOrder() {
  for (size_t i = 0; i < OrderStatistics::kPercents.size(); ++i) {
    all_.abs_percentiles[i] = order_.Percentile(OrderStatistics::kPercents[i]);
  }
  constexpr int kMost = 1024;
  const int bins = static_cast<int>(all_.histogram.size());
  for (int exponent = -kMost; exponent <= kMost; ++exponent) {
    const int bin = std::clamp((exponent + bins) / 2, 0, bins - 1);
    all_.histogram[static_cast<size_t>(bin)] += order_.CountOf(exponent);
  }
}

// As the long way would have it.
Metrics PairMetrics::OfEqual() {
  all_.compared = all_.count;
  all_.histogram[0] = all_.count;
  if (all_.count > 0) {
    all_.worst_index = 0;
    double first = 0;
    ToDoubles(*pairs_[chunks_[0].pair].a, 0, 1, &first);
    all_.worst_a = all_.worst_b = first;
    if (ulp_) all_.max_ulp = 0;
  }
  for (const Chunk& chunk : chunks_) {
    if (chunk.max_b > 0) all_.cosine = 1;
  }
  if (classes_) all_.argmax_agreement = 1;
  return all_;
}

Metrics PairMetrics::Run(bool& identical) {
  identical = AllEqual();
  if (identical) return OfEqual();
  TakeSample();
  ForChunks([&](size_t worker, Chunk& chunk) { Look(worker, chunk); });
  Merge();
  const Scales scales{ScaleOf(max_a_), ScaleOf(max_b_), ScaleOf(all_.max_abs)};
  if (scales.a != 1 || scales.b != 1 || scales.d != 1) {
    ForChunks(
        [&](size_t worker, Chunk& chunk) { SumScaled(worker, chunk, scales); });
  }
  MergeSums();
  FillIn(scales);
  identical = identical_;
  all_.outside = all_.nan_only_a + all_.nan_only_b + all_.inf_differs;
  bool more = order_.Next();
  if (all_.max_abs == 0) {
    all_.histogram[0] = all_.compared;
    return all_;
  }
  bool counted = CountOutside();
  while (more || !counted) {
    ForChunks([&](size_t worker, Chunk& chunk) {
      LookAgain(worker, chunk, !counted, more);
    });
    counted = true;
    more = more && order_.Next();
  }
  for (const Chunk& chunk : chunks_) all_.outside += chunk.outside;
  FillInOrder();
  return all_;
}

// Nothing but equal or not.
Metrics MetricsOfStrings(const std::vector<TensorPair>& pairs) {
  Metrics all;
  for (const TensorPair& pair : pairs) {
    for (size_t i = 0; i < pair.a->strings.size(); ++i) {
      if (pair.a->strings[i] == pair.b->strings[i]) continue;
      if (!all.worst_index) all.worst_index = all.count + i;
      ++all.outside;
    }
    all.count += pair.a->strings.size();
  }
  return all;
}

}  // namespace

Metrics MetricsOf(const std::vector<TensorPair>& pairs,
                  const Tolerance& tolerance, double relative_floor,
                  size_t workers, double peak, bool& identical) {
  std::vector<TensorPair> numbers;
  std::vector<TensorPair> strings;
  for (const TensorPair& pair : pairs) {
    (IsNumber(pair.a->type) ? numbers : strings).push_back(pair);
  }
  Metrics of_strings = MetricsOfStrings(strings);
  identical = of_strings.outside == 0;
  if (numbers.empty()) return of_strings;
  uint64_t count = 0;
  for (const TensorPair& pair : numbers) count += ElementCount(pair.a->shape);
  // Threads for less take longer than the work.
  if (count < 4 * kChunk) workers = 1;
  bool same_numbers = true;
  Metrics metrics = PairMetrics(numbers, tolerance, relative_floor,
                                std::max<size_t>(workers, 1), peak)
                        .Run(same_numbers);
  identical = identical && same_numbers;
  metrics.count += of_strings.count;
  metrics.outside += of_strings.outside;
  return metrics;
}

Metrics ComputeMetrics(const Tensor& a, const Tensor& b,
                       const Tolerance& tolerance, double relative_floor) {
  bool identical = false;
  return MetricsOf({{&a, &b}}, tolerance, relative_floor, 1, 0, identical);
}

}  // namespace onnx_expose
