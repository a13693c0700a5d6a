#include "compare/order_statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "compare/pair_sums.h"
#include "compare/upper_buckets.h"
#include "tensor/reductions.h"

namespace onnx_expose {
namespace {

constexpr int kBits = 16;
constexpr size_t kBuckets = size_t{1} << kBits;
constexpr int kFirstShift = 64 - kBits;
// What is kept, over all workers: 16 MB.
constexpr uint64_t kMostKept = uint64_t{1} << 21;

uint64_t BitsOf(double number) { return std::bit_cast<uint64_t>(number); }

// Appends those whose upper 16 bits have a flag.
void KeepFlagged(const double* numbers, size_t size, const uint8_t* flags,
                 std::vector<double>& kept) {
  const size_t before = kept.size();
  kept.resize(before + size);
  double* end = kept.data() + before;
  for (size_t i = 0; i < size; ++i) {
    *end = numbers[i];
    end += flags[BitsOf(numbers[i]) >> kFirstShift];
  }
  kept.resize(static_cast<size_t>(end - kept.data()));
}

}  // namespace

OrderStatistics::OrderStatistics(std::span<WorkerMemory> memory)
    : workers_(memory.size()), expected_(memory) {}

void OrderStatistics::AddSample(const double* numbers, size_t size) {
  expected_.AddSample(numbers, size);
}

void OrderStatistics::AddFirst(size_t worker, const double* numbers,
                               size_t size, uint64_t zeros) {
  Worker& mine = workers_[worker];
  std::array<Key, kBlock> keys;
  KeysOf(numbers, size, keys.data());
  CountPowers(keys.data(), size, mine.histogram);
  mine.zeros += zeros;
  expected_.Add(worker, numbers, keys.data(), size);
}

void OrderStatistics::AddZeros(size_t worker, uint64_t times) {
  if (!first_) return;
  workers_[worker].zeros += times;
  workers_[worker].not_added += times;
}

uint64_t OrderStatistics::NotAdded() const {
  uint64_t all = 0;
  for (const Worker& worker : workers_) all += worker.not_added;
  return all;
}

void OrderStatistics::Add(size_t worker, const double* numbers, size_t size,
                          uint64_t zeros) {
  if (first_) return AddFirst(worker, numbers, size, zeros);
  Worker& mine = workers_[worker];
  if (shift_ == 64) return CountUpper(numbers, size, mine.tables.data());
  if (keeping_ && shift_ == kFirstShift) {
    KeepFlagged(numbers, size, flags_.data(), mine.kept);
    return;
  }
  const uint8_t* flags = flags_.data();
  for (size_t i = 0; i < size; ++i) {
    const uint64_t bits = BitsOf(numbers[i]);
    if (flags[bits >> kFirstShift] == 0) continue;
    for (size_t t = 0; t < targets_.size(); ++t) {
      if (bits >> shift_ != targets_[t].prefix) continue;
      if (keeping_) {
        mine.kept.push_back(numbers[i]);
      } else {
        ++mine.next[t][(bits >> (shift_ - kBits)) & (kBuckets - 1)];
      }
    }
  }
}

bool OrderStatistics::Next() {
  if (first_) return EndFirst();
  if (shift_ == 64) {
    EndSecond();
  } else if (keeping_) {
    Keep();
    return false;
  } else {
    std::vector<std::vector<uint64_t>> counts = std::move(workers_[0].next);
    for (size_t w = 1; w < workers_.size(); ++w) {
      for (size_t t = 0; t < counts.size(); ++t) {
        for (size_t i = 0; i < kBuckets; ++i) {
          counts[t][i] += workers_[w].next[t][i];
        }
      }
    }
    Narrow(counts);
  }
  if (shift_ == 0) {
    for (const uint64_t rank : ranks_) {
      for (const Target& target : targets_) {
        if (rank < target.below || rank - target.below >= target.count)
          continue;
        values_.push_back(std::bit_cast<double>(target.prefix));
      }
    }
    return false;
  }
  Choose();
  return true;
}

// Whether another pass is needed.
bool OrderStatistics::EndFirst() {
  first_ = false;
  uint64_t zeros = 0;
  for (const Worker& worker : workers_) zeros += worker.zeros;
  for (const uint64_t count : Histogram()) count_ += count;
  if (count_ == 0) return false;
  for (const double percent : kPercents) {
    const double at = percent / 100 * static_cast<double>(count_ - 1);
    const auto rank = static_cast<uint64_t>(at);
    ranks_.push_back(rank);
    ranks_.push_back(std::min(rank + 1, count_ - 1));
  }
  std::sort(ranks_.begin(), ranks_.end());
  ranks_.erase(std::unique(ranks_.begin(), ranks_.end()), ranks_.end());
  values_ = expected_.ValuesOf(ranks_, NotAdded(), zeros);
  if (!values_.empty()) return false;
  for (Worker& worker : workers_) {
    worker.tables.assign(kUpperTables * kUpperBuckets, 0);
  }
  return true;
}

void OrderStatistics::EndSecond() {
  std::vector<uint64_t> buckets(kUpperBuckets);
  for (Worker& worker : workers_) {
    const uint32_t* tables = worker.tables.data();
    for (size_t i = 0; i < kUpperBuckets; ++i) {
      for (size_t t = 0; t < kUpperTables; ++t) {
        buckets[i] += tables[t * kUpperBuckets + i];
      }
    }
    worker.tables = {};
  }
  buckets[0] += NotAdded();
  targets_ = {{0, 0, count_}};
  Narrow({buckets});
}

// From each target to those of its buckets in which ranks lie.
void OrderStatistics::Narrow(const std::vector<std::vector<uint64_t>>& counts) {
  std::vector<Target> narrower;
  for (size_t t = 0; t < targets_.size(); ++t) {
    uint64_t below = targets_[t].below;
    for (size_t i = 0; i < counts[t].size(); ++i) {
      const uint64_t count = counts[t][i];
      const auto rank = std::lower_bound(ranks_.begin(), ranks_.end(), below);
      if (rank != ranks_.end() && *rank < below + count) {
        narrower.push_back({(targets_[t].prefix << kBits) | i, below, count});
      }
      below += count;
    }
  }
  targets_ = std::move(narrower);
  shift_ -= kBits;
}

// What the next pass does.
void OrderStatistics::Choose() {
  flags_.assign(kBuckets, 0);
  uint64_t total = 0;
  for (const Target& target : targets_) {
    flags_[target.prefix >> (kFirstShift - shift_)] = 1;
    // Zeros weren't added one by one and needn't be.
    total += target.count;
  }
  keeping_ = total <= kMostKept;
  for (Worker& worker : workers_) {
    worker.kept.clear();
    if (keeping_) continue;
    worker.next.assign(targets_.size(), std::vector<uint64_t>(kBuckets, 0));
    for (size_t t = 0; t < targets_.size(); ++t) {
      if (targets_[t].prefix == 0) worker.next[t][0] += worker.not_added;
    }
  }
}

void OrderStatistics::Keep() {
  std::vector<double> kept;
  uint64_t total = 0;
  for (const Target& target : targets_) total += target.count;
  kept.reserve(total);
  for (Worker& worker : workers_) {
    kept.insert(kept.end(), worker.kept.begin(), worker.kept.end());
    worker.kept = {};
  }
  for (const Target& target : targets_) {
    if (target.prefix != 0) continue;
    // The zeros that were added as a number.
    kept.insert(kept.end(), NotAdded(), 0.0);
  }
  // Targets are in order, so what is kept has the ranks of a sorted list with
  // gaps.
  auto from = kept.begin();
  for (const uint64_t rank : ranks_) {
    uint64_t at = 0;
    for (const Target& target : targets_) {
      if (rank >= target.below + target.count) {
        at += target.count;
      } else {
        at += rank - target.below;
        break;
      }
    }
    const auto place = kept.begin() + static_cast<std::ptrdiff_t>(at);
    std::nth_element(from, place, kept.end());
    values_.push_back(*place);
    from = place;
  }
}

double OrderStatistics::AtRank(uint64_t rank) const {
  const auto found = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
  return values_[static_cast<size_t>(found - ranks_.begin())];
}

double OrderStatistics::Percentile(double percent) const {
  if (count_ == 0) return 0;
  const double at = percent / 100 * static_cast<double>(count_ - 1);
  const auto rank = static_cast<uint64_t>(at);
  const double low = AtRank(rank);
  const double high = AtRank(std::min(rank + 1, count_ - 1));
  return low == high ? low
                     : low + (high - low) * (at - static_cast<double>(rank));
}

std::array<uint64_t, kPowers> OrderStatistics::Histogram() const {
  std::array<uint64_t, kPowers> all{};
  for (const Worker& worker : workers_) {
    for (size_t i = 0; i < kPowers; ++i) all[i] += worker.histogram[i];
  }
  all[0] += NotAdded();
  return all;
}

}  // namespace onnx_expose
