#include "onnx_expose/statistics.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "onnx_expose/element_types.h"
#include "tensor/code_counts.h"
#include "tensor/numbers.h"
#include "tensor/reductions.h"

namespace onnx_expose {
namespace {

// Outside of this a square may not be a normal double.
constexpr double kLargest = 0x1p480;
constexpr double kSmallest = 0x1p-480;

void Flatten(const Data& data, std::vector<const Tensor*>& tensors) {
  if (data.kind == Data::Kind::kTensor) tensors.push_back(&data.tensor);
  for (const Data& part : data.parts) Flatten(part, tensors);
}

// Statistics of tensors one after the other, as if they were one.
class Accumulator {
 public:
  // Numbers are multiplied by `scale`, a power of two, before anything else.
  explicit Accumulator(double scale) : scale_(scale) {}

  void Add(const Tensor& tensor);
  // After all Adds: the tensors again, in any order.
  void AddToHistogram(const Tensor& tensor);
  void FinishHistogram();
  Statistics Result() const;
  double LargestMagnitude() const {
    return std::max(std::abs(all_.min), std::abs(all_.max));
  }

 private:
  // Moves the finite numbers to the front and counts the others; how many.
  size_t Compact(double* numbers, size_t size, uint64_t first, bool count);
  void Merge(const BlockSummary& block, uint64_t size, double deviations);
  void AddCounts(const CodeCounts& counts, const CodeValues& values);
  void Load(const Tensor& tensor, uint64_t first, size_t size);

  double scale_;
  Statistics all_;
  double sum_ = 0;
  double squares_ = 0;
  double deviations_ = 0;  // squared, from the mean so far
  double mean_ = 0;
  std::map<int, CodeCounts> counts_;  // of types of 8 bits or less
  alignas(64) std::array<double, kBlock> block_;
};

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
  if (ElementBits(tensor.type) <= 8) {
    const CodeCounts counts = CountCodes(tensor);
    const CodeValues& values = ValuesOfCodes(tensor.type);
    const uint64_t finite = all_.finite;
    AddCounts(counts, values);
    if (all_.finite - finite < count && !all_.first_bad) {
      all_.first_bad = before + FirstNotFinite(tensor, values);
    }
    CodeCounts& total = counts_[tensor.type];
    for (size_t i = 0; i < counts.size(); ++i) total[i] += counts[i];
    return;
  }
  for (uint64_t at = 0; at < count; at += kBlock) {
    size_t size = std::min<uint64_t>(kBlock, count - at);
    Load(tensor, at, size);
    BlockSummary block = Summarize(block_.data(), size);
    if (!std::isfinite(block.squares)) {
      size = Compact(block_.data(), size, before + at, true);
      if (size == 0) continue;
      block = Summarize(block_.data(), size);
    }
    const double mean = block.sum / static_cast<double>(size);
    Merge(block, size, SquaredDeviations(block_.data(), size, mean));
  }
}

void Accumulator::AddCounts(const CodeCounts& counts,
                            const CodeValues& values) {
  BlockSummary block;
  uint64_t size = 0;
  for (size_t code = 0; code < counts.size(); ++code) {
    const double x = values[code] * scale_;
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
  double deviations = 0;
  for (size_t code = 0; code < counts.size(); ++code) {
    if (counts[code] == 0 || !std::isfinite(values[code])) continue;
    const double off = values[code] * scale_ - mean;
    deviations += off * off * static_cast<double>(counts[code]);
  }
  Merge(block, size, deviations);
}

size_t Accumulator::Compact(double* numbers, size_t size, uint64_t first,
                            bool count) {
  size_t kept = 0;
  for (size_t i = 0; i < size; ++i) {
    const double x = numbers[i];
    numbers[kept] = x;
    kept += std::isfinite(x) ? 1 : 0;
    if (!count) continue;
    all_.nan += std::isnan(x) ? 1 : 0;
    all_.pos_inf += std::isinf(x) && x > 0 ? 1 : 0;
    all_.neg_inf += std::isinf(x) && x < 0 ? 1 : 0;
    if (!all_.first_bad && !std::isfinite(x)) all_.first_bad = first + i;
  }
  return kept;
}

// Chan, Golub and LeVeque: Updating formulae and a pairwise algorithm for
// computing sample variances (1979).
void Accumulator::Merge(const BlockSummary& block, uint64_t size,
                        double deviations) {
  const bool first = all_.finite == 0;
  all_.min = first ? block.min : std::min(all_.min, block.min);
  all_.max = first ? block.max : std::max(all_.max, block.max);
  all_.zeros += block.zeros;
  sum_ += block.sum;
  squares_ += block.squares;
  const auto before = static_cast<double>(all_.finite);
  const auto added = static_cast<double>(size);
  const double off = block.sum / added - mean_;
  deviations_ += deviations + off * off * before * added / (before + added);
  all_.finite += size;
  mean_ = sum_ / (before + added);
}

void Accumulator::AddToHistogram(const Tensor& tensor) {
  const double range = all_.max - all_.min;
  if (ElementBits(tensor.type) <= 8 || range == 0) return;
  const uint64_t count = ElementCount(tensor.shape);
  const bool all_finite = all_.finite == all_.count;
  for (uint64_t at = 0; at < count; at += kBlock) {
    size_t size = std::min<uint64_t>(kBlock, count - at);
    Load(tensor, at, size);
    if (!all_finite) size = Compact(block_.data(), size, at, false);
    CountBins(block_.data(), size, all_.min, range, Statistics::kBins,
              all_.histogram.data());
  }
}

void Accumulator::FinishHistogram() {
  const double range = all_.max - all_.min;
  if (range == 0) {
    all_.histogram[0] = all_.finite;
    return;
  }
  for (const auto& [type, counts] : counts_) {
    const CodeValues& values = ValuesOfCodes(type);
    for (size_t code = 0; code < counts.size(); ++code) {
      if (counts[code] == 0 || !std::isfinite(values[code])) continue;
      const double x = values[code] * scale_;
      std::array<uint64_t, Statistics::kBins> one{};
      CountBins(&x, 1, all_.min, range, Statistics::kBins, one.data());
      for (size_t i = 0; i < one.size(); ++i) {
        all_.histogram[i] += one[i] * counts[code];
      }
    }
  }
}

Statistics Accumulator::Result() const {
  Statistics result = all_;
  const auto finite = static_cast<double>(all_.finite);
  if (all_.finite == 0) return result;
  result.mean = mean_ / scale_;
  result.std = std::sqrt(deviations_ / finite) / scale_;
  result.l2 = std::sqrt(squares_) / scale_;
  return result;
}

Statistics Compute(const std::vector<const Tensor*>& tensors,
                   Accumulator& all) {
  for (const Tensor* tensor : tensors) all.AddToHistogram(*tensor);
  all.FinishHistogram();
  return all.Result();
}

}  // namespace

Statistics ComputeStatistics(const Data& data) {
  std::vector<const Tensor*> tensors;
  Flatten(data, tensors);
  Accumulator plain(1);
  for (const Tensor* tensor : tensors) plain.Add(*tensor);
  const double largest = plain.LargestMagnitude();
  if (largest == 0 || (largest <= kLargest && largest >= kSmallest)) {
    return Compute(tensors, plain);
  }
  // Doubles whose squares aren't: the same again with numbers around 1.
  int exponent = 0;
  std::frexp(largest, &exponent);
  Accumulator scaled(std::ldexp(1.0, std::clamp(-exponent, -1000, 1000)));
  for (const Tensor* tensor : tensors) scaled.Add(*tensor);
  Statistics result = Compute(tensors, scaled);
  const Statistics exact = plain.Result();
  result.min = exact.min;
  result.max = exact.max;
  result.zeros = exact.zeros;
  return result;
}

}  // namespace onnx_expose
