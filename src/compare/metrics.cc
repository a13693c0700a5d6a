#include "compare/metrics.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "compare/argmax.h"
#include "compare/metrics_totals.h"
#include "compare/order_statistics.h"
#include "compare/pair_chunk.h"
#include "compare/pair_sample.h"
#include "compare/pair_sums.h"
#include "compare/parallel.h"
#include "onnx_expose/element_types.h"
#include "tensor/element_bits.h"
#include "tensor/numbers.h"

namespace onnx_expose {
namespace {

class PairMetrics {
 public:
  PairMetrics(const std::vector<TensorPair>& pairs, const MetricsTask& task,
              std::span<WorkerMemory> memory);
  Metrics Run(bool& identical);

 private:
  void AddChunks(size_t pair);
  void ForChunks(const std::function<void(size_t worker, Chunk&)>& work);
  void Forget(size_t first, size_t end) const;
  bool AllEqual();
  void TakeSample();
  void FindPeak();
  PairLimits LimitsFor(double peak, double highest) const;
  void CheckPeak(const Totals& totals);
  void LookAgain(double max_b);
  Metrics OfEqual();

  const std::vector<TensorPair>& pairs_;
  const MetricsTask& task_;
  size_t workers_;
  double peak_;          // a guess
  double highest_peak_;  // another, if it is higher
  bool forget_ = false;  // files are too large to stay in memory
  std::vector<Chunk> chunks_;
  std::optional<OrderStatistics> order_;  // if its results are asked for
  std::vector<std::unique_ptr<ChunkWorker>> of_workers_;
  bool ulp_ = true;
  bool classes_ = false;
  Metrics all_;
};

PairMetrics::PairMetrics(const std::vector<TensorPair>& pairs,
                         const MetricsTask& task,
                         std::span<WorkerMemory> memory)
    : pairs_(pairs),
      task_(task),
      workers_(memory.size()),
      peak_(task.peak),
      highest_peak_(task.peak) {
  if (task.distribution) order_.emplace(memory);
  uint64_t bytes = 0;
  for (size_t p = 0; p < pairs.size(); ++p) {
    AddChunks(p);
    bytes += pairs[p].a->bytes.size() + pairs[p].b->bytes.size();
  }
  uint64_t most = 0;
  for (const WorkerMemory& worker : memory) most += worker.of_files;
  forget_ = bytes > most;
  classes_ = pairs.size() == 1 && all_.count > 0 && HasClasses(*pairs[0].a) &&
             HasClasses(*pairs[0].b);
  for (size_t w = 0; w < workers_; ++w) {
    of_workers_.push_back(
        std::make_unique<ChunkWorker>(order_ ? &*order_ : nullptr, w));
  }
}

void PairMetrics::AddChunks(size_t pair) {
  const Tensor& a = *pairs_[pair].a;
  const Tensor& b = *pairs_[pair].b;
  const uint64_t count = ElementCount(a.shape);
  ulp_ = ulp_ && a.type == b.type && IsFloatType(a.type);
  for (uint64_t first = 0; first < count; first += kChunk) {
    Chunk chunk;
    chunk.pair = pair;
    chunk.first = first;
    chunk.size = std::min(kChunk, count - first);
    chunk.before = all_.count;
    chunks_.push_back(chunk);
  }
  all_.count += count;
}

void PairMetrics::ForChunks(
    const std::function<void(size_t worker, Chunk&)>& work) {
  // Forgetting interrupts the other threads.
  const size_t at_once = forget_ ? 4 : 1;
  const size_t parts = (chunks_.size() + at_once - 1) / at_once;
  ParallelFor(parts, workers_, [&](size_t worker, size_t part) {
    const size_t first = part * at_once;
    const size_t end = std::min(first + at_once, chunks_.size());
    for (size_t i = first; i < end; ++i) work(worker, chunks_[i]);
    if (forget_) Forget(first, end);
  });
}

void PairMetrics::Forget(size_t first, size_t end) const {
  while (first < end) {
    const Chunk& chunk = chunks_[first];
    uint64_t size = 0;
    for (; first < end && chunks_[first].pair == chunk.pair; ++first) {
      size += chunks_[first].size;
    }
    ForgetElements(pairs_[chunk.pair], chunk.first, size);
  }
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

// What percentiles and the peak may be, so that one pass may be enough.
void PairMetrics::TakeSample() {
  const bool guess = peak_ == 0 && task_.tolerance.of_peak > 0;
  if (!guess && !order_) return;
  uint64_t sampled = 0;
  uint64_t unsure = 0;
  ForSample(pairs_, chunks_, forget_, [&](const PairBlock& numbers) {
    const double* b = numbers.b();
    const double* d = numbers.d();
    const size_t size = numbers.size();
    if (order_) order_->AddSample(d, size);
    if (!guess) return;
    peak_ = std::max(peak_, SumEqual(b, size).max_b);
    highest_peak_ = 2 * peak_;  // that of all isn't far above the sample's
    const PairLimits limits = LimitsFor(peak_, highest_peak_);
    unsure += CountOutside(b, d, size, limits.atol, limits.rtol) -
              CountOutside(b, d, size, limits.most, limits.rtol);
    sampled += size;
  });
  if (order_) order_->Expect();
  // To count blocks again takes longer if more than one of eight is unsure.
  if (unsure * kBlock > sampled / 8) FindPeak();
}

void PairMetrics::FindPeak() {
  std::vector<double> of_workers(workers_, peak_);
  std::atomic<bool> finite = true;
  ForChunks([&](size_t worker, const Chunk& chunk) {
    if (!finite) return;
    const double magnitude =
        FiniteMagnitude(*pairs_[chunk.pair].b, chunk.first, chunk.size);
    if (magnitude < 0) finite = false;
    of_workers[worker] = std::max(of_workers[worker], magnitude);
  });
  if (!finite) return;
  peak_ = *std::max_element(of_workers.begin(), of_workers.end());
  highest_peak_ = peak_;
}

PairLimits PairMetrics::LimitsFor(double peak, double highest) const {
  const Tolerance& tolerance = task_.tolerance;
  return {std::max(task_.relative_floor, std::numeric_limits<double>::min()),
          tolerance.atol + tolerance.of_peak * peak, tolerance.rtol,
          tolerance.atol + tolerance.of_peak * highest};
}

// Whether what the first pass counted with guesses at the peak is right; else
// all is to be counted again.
void PairMetrics::CheckPeak(const Totals& totals) {
  if (task_.tolerance.of_peak == 0) return;
  // With a greater peak there aren't more.
  if (peak_ <= totals.max_b &&
      (totals.max_b <= highest_peak_ || !totals.any_outside)) {
    return;
  }
  for (Chunk& chunk : chunks_) {
    chunk.outside = 0;
    chunk.unsure.set();
  }
}

// As the long way would have it.
Metrics PairMetrics::OfEqual() {
  all_.compared = all_.count;
  if (order_) all_.histogram[0] = all_.count;
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

// Passes until all percentiles are known, and what is out of tolerance.
void PairMetrics::LookAgain(double max_b) {
  bool more = order_ && order_->Next();
  bool count = std::any_of(chunks_.begin(), chunks_.end(),
                           [](const Chunk& c) { return c.unsure.any(); });
  while (more || count) {
    ForChunks([&](size_t worker, Chunk& chunk) {
      of_workers_[worker]->LookAgain(pairs_[chunk.pair],
                                     LimitsFor(max_b, max_b), more, chunk);
    });
    count = false;
    more = more && order_->Next();
  }
}

Metrics PairMetrics::Run(bool& identical) {
  identical = AllEqual();
  if (identical) return OfEqual();
  TakeSample();
  std::optional<LongRows> long_rows;
  if (classes_ && LongRows::AreIn(pairs_[0])) long_rows.emplace(pairs_[0]);
  const ChunkTask task{LimitsFor(peak_, highest_peak_), ulp_, classes_,
                       long_rows ? &*long_rows : nullptr};
  ForChunks([&](size_t worker, Chunk& chunk) {
    of_workers_[worker]->Look(pairs_[chunk.pair], task, chunk);
  });
  const Totals totals = Total(chunks_, ulp_, all_);
  identical = totals.identical;
  const Scales scales = ScalesOf(totals, all_.max_abs);
  if (scales.a != 1 || scales.b != 1 || scales.d != 1) {
    ForChunks([&](size_t worker, Chunk& chunk) {
      of_workers_[worker]->SumScaled(pairs_[chunk.pair], scales, chunk);
    });
  }
  FillInSums(chunks_, scales, totals.max_b, all_);
  if (classes_) {
    const auto rows =
        all_.count / static_cast<uint64_t>(pairs_[0].a->shape.back());
    const uint64_t same =
        long_rows ? long_rows->SameArgmax() : totals.same_argmax;
    all_.argmax_agreement =
        static_cast<double>(same) / static_cast<double>(rows);
  }
  all_.outside = all_.nan_only_a + all_.nan_only_b + all_.inf_differs;
  if (all_.max_abs == 0) {
    if (order_) all_.histogram[0] = all_.compared;
    return all_;
  }
  CheckPeak(totals);
  LookAgain(totals.max_b);
  for (const Chunk& chunk : chunks_) all_.outside += chunk.outside;
  if (order_) FillInOrder(*order_, all_);
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

Metrics MetricsOf(const std::vector<TensorPair>& pairs, const MetricsTask& task,
                  std::span<WorkerMemory> memory, bool& identical) {
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
  if (count < 4 * kChunk) memory = memory.first(1);
  bool same_numbers = true;
  Metrics metrics = PairMetrics(numbers, task, memory).Run(same_numbers);
  identical = identical && same_numbers;
  metrics.count += of_strings.count;
  metrics.outside += of_strings.outside;
  return metrics;
}

Metrics ComputeMetrics(const Tensor& a, const Tensor& b,
                       const Tolerance& tolerance, double relative_floor) {
  bool identical = false;
  WorkerMemory memory;
  return MetricsOf({{&a, &b}}, {tolerance, relative_floor}, {&memory, 1},
                   identical);
}

}  // namespace onnx_expose
