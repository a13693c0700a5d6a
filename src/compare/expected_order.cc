#include "compare/expected_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tensor/reductions.h"

namespace onnx_expose {
namespace {

// What a worker keeps: 24 MB.
constexpr size_t kMostKept = size_t{3} << 20;
// How far the rank of a percentile in a sample may be off: in standard
// deviations of a sample of independent numbers, which neighbours aren't.
constexpr double kDeviations = 4;

size_t IndexOf(Key key) { return static_cast<size_t>(key - INT16_MIN); }

void CountKeys(const double* numbers, size_t size,
               std::vector<uint32_t>& counts) {
  std::array<Key, kBlock> keys;
  KeysOf(numbers, size, keys.data());
  for (size_t i = 0; i < size; ++i) ++counts[IndexOf(keys[i])];
}

// The number at `place` when they are sorted; those below `done`, of an earlier
// call for a lower place, are in their half already.
double TakeAt(uint64_t place, uint64_t& done, std::vector<double>& numbers) {
  const auto at = numbers.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(numbers.begin() + static_cast<std::ptrdiff_t>(done), at,
                   numbers.end());
  done = place;
  return *at;
}

}  // namespace

void ExpectedOrder::AddSample(const double* numbers, size_t size) {
  std::vector<uint32_t>& counts = memory_[0].counts;
  counts.resize(kKeys);
  CountKeys(numbers, size, counts);
  sampled_ += size;
}

void ExpectedOrder::Expect(std::span<const double, kWindows> percents) {
  if (sampled_ == 0) return;
  std::vector<uint32_t>& counts = memory_[0].counts;
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
  const auto last = static_cast<double>(sampled_ - 1);
  const auto key_at = [&](double share) {
    const auto place =
        static_cast<uint32_t>(std::clamp(share, 0.0, 1.0) * last);
    const auto at = std::upper_bound(counts.begin(), counts.end(), place);
    return static_cast<int>(at - counts.begin()) + INT16_MIN;
  };
  // One after the other, none of them with zero in it.
  int end = INT16_MIN + 1;
  for (size_t w = 0; w < kWindows; ++w) {
    const double share = percents[w] / 100;
    const double off = kDeviations * std::sqrt(share * (1 - share) / last);
    const int first =
        std::min<int>(std::max(end, key_at(share - off)), INT16_MAX);
    end = std::max(first, key_at(share + off) + 1);
    windows_.first[w] = static_cast<Key>(first);
    windows_.last[w] = static_cast<Key>(end - 1);
  }
  std::fill(counts.begin(), counts.end(), 0);
}

void ExpectedOrder::Add(size_t worker, const double* numbers, const Key* keys,
                        size_t size) {
  Worker& mine = workers_[worker];
  WorkerMemory& memory = memory_[worker];
  if (mine.full) return;
  if (!memory.kept) {
    memory.kept = std::make_unique_for_overwrite<double[]>(kMostKept + 1);
  }
  if (mine.size + size > kMostKept) {
    mine.full = true;
    return;
  }
  double* kept = memory.kept.get() + mine.size;
  if (sampled_ == 0) {
    std::copy_n(numbers, size, kept);
    mine.size += size;
  } else {
    const double* end =
        KeepInWindows(numbers, keys, size, windows_, mine.below, kept);
    mine.size += static_cast<size_t>(end - kept);
  }
}

// Calls work(numbers, size) for blocks of what was kept.
template <typename Work>
void ExpectedOrder::ForKept(const Work& work) const {
  for (size_t w = 0; w < workers_.size(); ++w) {
    for (size_t at = 0; at < workers_[w].size; at += kBlock) {
      work(memory_[w].kept.get() + at, std::min(kBlock, workers_[w].size - at));
    }
  }
}

std::vector<ExpectedOrder::Place> ExpectedOrder::PlacesOf(
    std::span<const uint64_t> ranks, uint64_t not_added) const {
  std::vector<uint32_t>& counts = memory_[0].counts;
  ForKept([&](const double* numbers, size_t size) {
    CountKeys(numbers, size, counts);
  });
  std::vector<Place> places;
  auto rank = ranks.begin();
  for (size_t w = 0; w < kWindows; ++w) {
    uint64_t below = not_added;
    for (const Worker& worker : workers_) below += worker.below[w];
    for (int k = windows_.first[w]; k <= windows_.last[w]; ++k) {
      const auto key = static_cast<Key>(k);
      const uint64_t count = std::exchange(counts[IndexOf(key)], 0);
      for (; rank != ranks.end() && *rank - below < count; ++rank) {
        places.push_back({w, key, *rank - below});
      }
      below += count;
    }
  }
  return places;
}

std::vector<ExpectedOrder::OfKey> ExpectedOrder::NumbersAt(
    const std::vector<Place>& places) const {
  Windows windows = windows_;
  for (size_t w = 0; w < kWindows; ++w) {
    windows.last[w] = static_cast<Key>(windows.first[w] - 1);
  }
  std::vector<OfKey> all;
  for (const Place& place : places) {
    if (all.empty() || all.back().key != place.key) {
      all.push_back({place.key, 0, {}});
    }
    Key& first = windows.first[place.window];
    Key& last = windows.last[place.window];
    if (last < first) first = place.key;
    last = place.key;
  }
  std::array<Key, kBlock> keys;
  std::array<double, kBlock + 1> kept;
  std::array<uint64_t, kWindows> below{};
  ForKept([&](const double* from, size_t size) {
    KeysOf(from, size, keys.data());
    const double* const end =
        KeepInWindows(from, keys.data(), size, windows, below, kept.data());
    for (const double* x = kept.data(); x != end; ++x) {
      const Key key = KeyOf(*x);
      for (OfKey& of : all) {
        if (of.key != key) continue;
        if (*x == LeastOf(key)) {
          ++of.least;
        } else {
          of.others.push_back(*x);
        }
      }
    }
  });
  return all;
}

std::vector<double> ExpectedOrder::ValuesOf(const std::vector<uint64_t>& ranks,
                                            uint64_t not_added,
                                            uint64_t zeros) const {
  const bool full = std::any_of(workers_.begin(), workers_.end(),
                                [](const Worker& w) { return w.full; });
  if (full) return {};
  const auto first = std::lower_bound(ranks.begin(), ranks.end(), zeros);
  std::vector<double> values(static_cast<size_t>(first - ranks.begin()), 0.0);
  if (sampled_ == 0) {
    std::vector<double> numbers;
    ForKept([&](const double* from, size_t size) {
      numbers.insert(numbers.end(), from, from + size);
    });
    uint64_t done = 0;
    for (auto rank = first; rank != ranks.end(); ++rank) {
      values.push_back(TakeAt(*rank - not_added, done, numbers));
    }
    return values;
  }
  const std::vector<Place> places = PlacesOf({first, ranks.end()}, not_added);
  if (places.size() + values.size() < ranks.size()) return {};
  uint64_t done = 0;
  std::vector<OfKey> all = NumbersAt(places);
  auto of = all.begin();
  for (const Place& place : places) {
    if (of->key != place.key) {
      ++of;
      done = 0;
    }
    values.push_back(place.place < of->least
                         ? LeastOf(of->key)
                         : TakeAt(place.place - of->least, done, of->others));
  }
  return values;
}

}  // namespace onnx_expose
