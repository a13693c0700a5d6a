#include "compare/expected_order.h"

#include <algorithm>
#include <cmath>

namespace onnx_expose {
namespace {

// What a worker keeps: 24 MB.
constexpr size_t kMostKept = size_t{3} << 20;
// How far the rank of a percentile in a sample may be off: in standard
// deviations of a sample of independent numbers, which neighbours aren't.
constexpr double kDeviations = 5;

}  // namespace

void ExpectedOrder::Expect(std::vector<double> sample,
                           std::span<const double, kWindows> percents) {
  if (sample.empty()) return;
  // Places in the sample, two for each window.
  const auto last = static_cast<double>(sample.size() - 1);
  std::vector<std::ptrdiff_t> places;
  for (const double percent : percents) {
    const double share = percent / 100;
    const double off = kDeviations * std::sqrt(share * (1 - share) / last);
    for (const double at : {share - off, share + off}) {
      places.push_back(
          static_cast<std::ptrdiff_t>(std::clamp(at, 0.0, 1.0) * last));
    }
  }
  std::vector<std::ptrdiff_t> ascending = places;
  std::sort(ascending.begin(), ascending.end());
  std::ptrdiff_t done = 0;  // what is before doesn't move any more
  for (const std::ptrdiff_t place : ascending) {
    if (place < done) continue;
    std::nth_element(sample.begin() + done, sample.begin() + place,
                     sample.end());
    done = place + 1;
  }
  // One after the other, none of them with zero in it.
  int32_t end = 1;
  for (size_t w = 0; w < kWindows; ++w) {
    const double low = sample[static_cast<size_t>(places[2 * w])];
    const double high = sample[static_cast<size_t>(places[2 * w + 1])];
    windows_.first[w] = std::max(end, UpperHalf(low));
    end = std::max(windows_.first[w], UpperHalf(high) + 1);
    windows_.last[w] = end - 1;
    const auto size = static_cast<uint32_t>(end - windows_.first[w]);
    while ((size >> shifts_[w]) >= kParts) ++shifts_[w];
  }
  expecting_ = true;
}

void ExpectedOrder::Add(size_t worker, const double* numbers, size_t size) {
  Worker& mine = workers_[worker];
  if (!expecting_ || mine.full) return;
  if (!mine.kept) {
    mine.kept = std::make_unique_for_overwrite<double[]>(kMostKept);
  }
  if (mine.size + size > kMostKept) {
    mine.full = true;
    mine.kept.reset();
    return;
  }
  const double* end = KeepInWindows(numbers, size, windows_, mine.below,
                                    mine.kept.get() + mine.size);
  mine.size = static_cast<size_t>(end - mine.kept.get());
}

template <typename Work>
void ExpectedOrder::ForKept(const Work& work) const {
  for (const Worker& worker : workers_) {
    for (size_t i = 0; i < worker.size; ++i) {
      work(PartOf(worker.kept[i]), worker.kept[i]);
    }
  }
}

// Of those that were kept; what is in a window is divided into parts.
size_t ExpectedOrder::PartOf(double number) const {
  const int32_t upper = UpperHalf(number);
  size_t window = 0;
  for (size_t w = 1; w < kWindows; ++w) {
    window += upper >= windows_.first[w] ? 1 : 0;
  }
  const auto offset = static_cast<uint32_t>(upper - windows_.first[window]);
  return window * kParts + (offset >> shifts_[window]);
}

// Where numbers are by rank, as long as they were kept.
std::vector<ExpectedOrder::Place> ExpectedOrder::PlacesOf(
    std::span<const uint64_t> ranks, uint64_t not_added) const {
  std::vector<uint64_t> counts(PartCount());
  ForKept([&](size_t part, double) { ++counts[part]; });
  std::vector<Place> places;
  auto rank = ranks.begin();
  for (size_t w = 0; w < kWindows; ++w) {
    uint64_t below = not_added;
    for (const Worker& worker : workers_) below += worker.below[w];
    for (size_t part = w * kParts; part < (w + 1) * kParts; ++part) {
      for (; rank != ranks.end() && *rank - below < counts[part]; ++rank) {
        places.push_back({part, *rank - below});
      }
      below += counts[part];
    }
  }
  return places;
}

std::vector<double> ExpectedOrder::ValuesOf(const std::vector<uint64_t>& ranks,
                                            uint64_t not_added,
                                            uint64_t zeros) const {
  const bool full = std::any_of(workers_.begin(), workers_.end(),
                                [](const Worker& w) { return w.full; });
  if (!expecting_ || full) return {};
  const auto first = std::lower_bound(ranks.begin(), ranks.end(), zeros);
  std::vector<double> values(static_cast<size_t>(first - ranks.begin()), 0.0);
  const std::vector<Place> places = PlacesOf({first, ranks.end()}, not_added);
  if (places.size() < ranks.size() - values.size()) return {};
  std::vector<std::vector<double>> parts(PartCount());
  std::vector<uint8_t> wanted(PartCount());
  for (const Place& place : places) wanted[place.part] = 1;
  ForKept([&](size_t part, double number) {
    if (wanted[part] != 0) parts[part].push_back(number);
  });
  for (const Place& place : places) {
    const auto begin = parts[place.part].begin();
    const auto at = begin + static_cast<std::ptrdiff_t>(place.rank);
    std::nth_element(begin, at, parts[place.part].end());
    values.push_back(*at);
  }
  return values;
}

}  // namespace onnx_expose
