#include "tensor/accumulator.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tensor/numbers.h"

namespace onnx_expose {

double Accumulator::LargestMagnitude() const {
  return std::max(std::abs(all_.min), std::abs(all_.max));
}

void Accumulator::Load(const Tensor& tensor, uint64_t first, size_t size) {
  ToDoubles(tensor, first, size, block_.data());
  if (scale_ == 1) return;
  for (size_t i = 0; i < size; ++i) block_[i] *= scale_;
}

void Accumulator::Add(const Tensor& tensor) {
  const uint64_t before = all_.count;
  const uint64_t count = ElementCount(tensor.shape);
  all_.count += count;
  if (!IsNumber(tensor.type) || count == 0) return;
  if (CountingPays(tensor)) {
    const CodeCounts counts = CountCodes(tensor);
    const uint64_t finite = all_.finite;
    AddCounts(counts, tensor.type);
    if (all_.finite - finite < count && !all_.first_bad) {
      all_.first_bad = before + FirstNotFinite(tensor);
    }
    CodeCounts& total = counts_[tensor.type];
    total.resize(counts.size());
    for (size_t i = 0; i < counts.size(); ++i) total[i] += counts[i];
    return;
  }
  for (uint64_t at = 0; at < count; at += kBlock) {
    const size_t size = std::min<uint64_t>(kBlock, count - at);
    Load(tensor, at, size);
    AddBlock(before + at, size);
  }
}

void Accumulator::AddBlock(uint64_t first, size_t size) {
  BlockSummary block = Summarize(block_.data(), size);
  if (!std::isfinite(block.squares)) {
    const Specials specials = CountSpecials(block_.data(), size);
    all_.nan += specials.nan;
    all_.pos_inf += specials.pos_inf;
    all_.neg_inf += specials.neg_inf;
    if (!all_.first_bad && specials.any()) {
      const auto finite = [](double x) { return std::isfinite(x); };
      const auto* bad =
          std::find_if_not(block_.begin(), block_.begin() + size, finite);
      all_.first_bad = first + static_cast<uint64_t>(bad - block_.begin());
    }
    size = KeepFinite(block_.data(), size);
    if (size == 0) return;
    block = Summarize(block_.data(), size);
  }
  const double mean = block.sum / static_cast<double>(size);
  Merge(block, size, mean, SumDeviations(block_.data(), size, mean));
}

void Accumulator::AddCounts(const CodeCounts& counts, int type) {
  const std::vector<double> numbers = NumbersOfCodes(type);
  BlockSummary block;
  uint64_t size = 0;
  for (size_t code = 0; code < counts.size(); ++code) {
    const double x = numbers[code] * scale_;
    const auto times = static_cast<double>(counts[code]);
    if (counts[code] == 0) continue;
    if (!std::isfinite(x)) {
      (std::isnan(x) ? all_.nan
       : x > 0       ? all_.pos_inf
                     : all_.neg_inf) += counts[code];
      continue;
    }
    block.min = size == 0 ? x : std::min(block.min, x);
    block.max = size == 0 ? x : std::max(block.max, x);
    block.sum += x * times;
    block.squares += x * x * times;
    block.zeros += x == 0 ? counts[code] : 0;
    size += counts[code];
  }
  if (size == 0) return;
  const double mean = block.sum / static_cast<double>(size);
  Deviations deviations;
  for (size_t code = 0; code < counts.size(); ++code) {
    const double off = numbers[code] * scale_ - mean;
    if (counts[code] == 0 || !std::isfinite(off)) continue;
    deviations.sum += off * static_cast<double>(counts[code]);
    deviations.squares += off * off * static_cast<double>(counts[code]);
  }
  Merge(block, size, mean, deviations);
}

// Chan, Golub and LeVeque: Updating formulae and a pairwise algorithm for
// computing sample variances (1979).
void Accumulator::Merge(const BlockSummary& block, uint64_t size, double mean,
                        Deviations deviations) {
  const bool first = all_.finite == 0;
  if (first) first_mean_ = mean;
  all_.min = first ? block.min : std::min(all_.min, block.min);
  all_.max = first ? block.max : std::max(all_.max, block.max);
  all_.zeros += block.zeros;
  squares_ += block.squares;
  const auto before = static_cast<double>(all_.finite);
  const auto added = static_cast<double>(size);
  const double rounded = deviations.sum / added;
  const double off = mean - first_mean_ + rounded - mean_off_;
  deviations_ += deviations.squares - rounded * deviations.sum +
                 off * off * (before / (before + added)) * added;
  mean_off_ += off * (added / (before + added));
  all_.finite += size;
}

void Accumulator::AddToHistogram(const Tensor& tensor) {
  const double range = all_.max - all_.min;
  if (!IsNumber(tensor.type) || all_.finite == 0) return;
  if (range == 0) {
    all_.histogram[0] = all_.finite;
    return;
  }
  if (CountingPays(tensor)) return AddCountsToHistogram(tensor.type);
  const uint64_t count = ElementCount(tensor.shape);
  const bool all_finite = all_.finite == all_.count;
  for (uint64_t at = 0; at < count; at += kBlock) {
    size_t size = std::min<uint64_t>(kBlock, count - at);
    Load(tensor, at, size);
    if (!all_finite) size = KeepFinite(block_.data(), size);
    CountBins(block_.data(), size, all_.min, range, all_.histogram.data());
  }
}

// Of all tensors of the type that were counted.
void Accumulator::AddCountsToHistogram(int type) {
  const CodeCounts counts = std::exchange(counts_[type], {});
  const std::vector<double> numbers = NumbersOfCodes(type);
  for (size_t code = 0; code < counts.size(); ++code) {
    const double x = numbers[code] * scale_;
    if (counts[code] == 0 || !std::isfinite(x)) continue;
    all_.histogram[BinOf(x, all_.min, all_.max - all_.min)] += counts[code];
  }
}

Statistics Accumulator::Result() const {
  Statistics result = all_;
  const auto finite = static_cast<double>(all_.finite);
  if (all_.finite == 0) return result;
  result.mean = (first_mean_ + mean_off_) / scale_;
  result.std = std::sqrt(std::max(0.0, deviations_) / finite) / scale_;
  result.l2 = std::sqrt(squares_) / scale_;
  return result;
}

}  // namespace onnx_expose
