#include "compare/expected_order.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "tensor/reductions.h"

namespace onnx_expose {
namespace {

// What a worker keeps: 24 MB.
constexpr size_t kMostKept = size_t{3} << 20;
// How far the rank of a percentile in a sample may be off: in standard
// deviations of a sample of independent numbers, which neighbours aren't.
constexpr double kDeviations = 4;

size_t IndexOf(Key key) { return static_cast<size_t>(key - INT16_MIN); }

}  // namespace

void ExpectedOrder::AddSample(const double* numbers, size_t size) {
  std::vector<uint32_t>& counts = memory_[0].counts;
  counts.resize(kKeys);
  for (size_t i = 0; i < size; ++i) ++counts[IndexOf(KeyOf(numbers[i]))];
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
  OrderMemory& memory = memory_[worker];
  if (mine.full) return;
  if (!memory.kept) {
    memory.kept = std::make_unique_for_overwrite<double[]>(kMostKept);
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

ExpectedOrder::Places ExpectedOrder::PlacesOf(std::span<const uint64_t> ranks,
                                              uint64_t not_added) const {
  std::vector<uint32_t> counts(kKeys);
  std::vector<uint32_t> least(kKeys);
  ForKept([&](const double* numbers, size_t size) {
    for (size_t i = 0; i < size; ++i) {
      const Key key = KeyOf(numbers[i]);
      ++counts[IndexOf(key)];
      least[IndexOf(key)] += numbers[i] == LeastOf(key) ? 1 : 0;
    }
  });
  Places found;
  uint64_t lower = 0;  // others in lower windows
  auto rank = ranks.begin();
  for (size_t w = 0; w < kWindows; ++w) {
    Key& first = found.windows.first[w] = windows_.first[w];
    Key& last = found.windows.last[w] = static_cast<Key>(first - 1);
    uint64_t below = not_added;
    for (const Worker& worker : workers_) below += worker.below[w];
    uint64_t others = 0;  // with lower keys, from the first one on
    uint64_t size = 0;
    for (int k = windows_.first[w]; k <= windows_.last[w]; ++k) {
      const auto key = static_cast<Key>(k);
      const uint64_t count = counts[IndexOf(key)];
      const uint64_t equal = least[IndexOf(key)];
      for (; rank != ranks.end() && *rank - below < count; ++rank) {
        const uint64_t place = *rank - below;
        if (place < equal) {
          found.places.push_back({true, LeastOf(key), 0});
          continue;
        }
        if (last < first) first = key;
        last = key;
        size = others + count - equal;
        found.places.push_back({false, 0, lower + others + place - equal});
      }
      if (first <= last) others += count - equal;
      below += count;
    }
    lower += size;
  }
  return found;
}

// Those in the windows that aren't the least with their key.
std::vector<double> ExpectedOrder::OthersIn(const Windows& windows) const {
  std::vector<double> numbers;
  std::array<Key, kBlock> keys;
  std::array<double, kBlock> kept;
  std::array<uint64_t, kWindows> below{};
  ForKept([&](const double* from, size_t size) {
    KeysOf(from, size, keys.data());
    double* const first = kept.data();
    double* const end =
        KeepInWindows(from, keys.data(), size, windows, below, first);
    std::copy_if(first, end, std::back_inserter(numbers),
                 [](double x) { return x != LeastOf(KeyOf(x)); });
  });
  return numbers;
}

std::vector<double> ExpectedOrder::ValuesOf(const std::vector<uint64_t>& ranks,
                                            uint64_t not_added,
                                            uint64_t zeros) const {
  const bool full = std::any_of(workers_.begin(), workers_.end(),
                                [](const Worker& w) { return w.full; });
  if (full) return {};
  const auto first = std::lower_bound(ranks.begin(), ranks.end(), zeros);
  std::vector<double> values(static_cast<size_t>(first - ranks.begin()), 0.0);
  std::vector<double> numbers;
  Places found;
  if (sampled_ == 0) {
    ForKept([&](const double* from, size_t size) {
      numbers.insert(numbers.end(), from, from + size);
    });
    for (auto rank = first; rank != ranks.end(); ++rank) {
      found.places.push_back({false, 0, *rank - not_added});
    }
  } else {
    found = PlacesOf({first, ranks.end()}, not_added);
    if (found.places.size() + values.size() < ranks.size()) return {};
    numbers = OthersIn(found.windows);
  }
  auto done = numbers.begin();
  for (const Place& place : found.places) {
    if (place.known) {
      values.push_back(place.value);
      continue;
    }
    const auto at = numbers.begin() + static_cast<std::ptrdiff_t>(place.place);
    std::nth_element(done, at, numbers.end());
    values.push_back(*at);
    done = at;
  }
  return values;
}

}  // namespace onnx_expose
