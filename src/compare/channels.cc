#include "onnx_expose/channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "support/text.h"
#include "tensor/numbers.h"
#include "tensor/reductions.h"

namespace onnx_expose {
namespace {

// Numbers of a channel that are kept to find its like.
constexpr size_t kSamplesOfChannel = 512;
// More channels than this aren't compared with each other.
constexpr size_t kMostAlike = 4096;

struct ChannelTotals {
  uint64_t count = 0;  // finite
  uint64_t zeros = 0;
  uint64_t at_min = 0;  // of the whole value
  uint64_t at_max = 0;
  double abs = 0;
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  std::vector<double> samples;
};

struct Layout {
  int axis = 0;
  uint64_t outer = 1;
  uint64_t channels = 0;
  uint64_t inner = 1;
};

int DefaultAxis(const ValueSource::Entry& entry, int rank) {
  const bool convolution = entry.op_type.find("Conv") != std::string::npos;
  return rank >= 4 || (rank == 3 && convolution) ? 1 : rank - 1;
}

Layout LayoutOf(const ValueSource::Entry& entry, const Tensor& tensor,
                const ChannelOptions& options) {
  const int rank = static_cast<int>(tensor.shape.size());
  int axis = options.axis.value_or(DefaultAxis(entry, rank));
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) {
    throw Error(
        ExitCode::kUsage, "",
        {fmt::format("--axis {}: {} has {}", *options.axis, Quoted(entry.name),
                     Counted(static_cast<uint64_t>(rank), "dim")),
         "", ""});
  }
  Layout layout;
  layout.axis = axis;
  for (int i = 0; i < rank; ++i) {
    const auto size =
        static_cast<uint64_t>(tensor.shape[static_cast<size_t>(i)]);
    if (i < axis) layout.outer *= size;
    if (i == axis) layout.channels = size;
    if (i > axis) layout.inner *= size;
  }
  return layout;
}

class Accumulator {
 public:
  explicit Accumulator(const Layout& layout)
      : layout_(layout), totals_(layout.channels) {}

  const Layout& layout() const { return layout_; }

  void Add(const Tensor& tensor, const Layout& layout) {
    const uint64_t runs = layout.outer * layout.channels;
    // Every channel gives as many samples.
    const uint64_t of_channel = layout.outer * layout.inner;
    const uint64_t step = std::max<uint64_t>(1, of_channel / kSamplesOfChannel);
    std::array<double, kBlock> block;
    std::vector<uint64_t> seen(layout.channels);
    for (uint64_t run = 0; run < runs; ++run) {
      const uint64_t channel = run % layout.channels;
      ChannelTotals& totals = totals_[channel];
      for (uint64_t at = 0; at < layout.inner; at += kBlock) {
        const size_t size = std::min<uint64_t>(kBlock, layout.inner - at);
        ToDoubles(tensor, run * layout.inner + at, size, block.data());
        for (size_t i = 0; i < size; ++i) {
          const bool sample = seen[channel]++ % step == 0;
          AddNumber(block[i], sample, totals);
        }
      }
    }
  }

  ValueChannels Finish(const ChannelOptions& options) const {
    ValueChannels value;
    value.axis = layout_.axis;
    std::vector<double> means;
    for (const ChannelTotals& totals : totals_) {
      value.elements = std::max(value.elements, totals.count);
      means.push_back(totals.count == 0
                          ? 0
                          : totals.abs / static_cast<double>(totals.count));
    }
    const double median = Median(means);
    for (size_t i = 0; i < totals_.size(); ++i) {
      value.channels.push_back(ChannelAt(i, means[i], median, options));
    }
    FindDuplicates(options.duplicate, value.channels);
    return value;
  }

 private:
  void AddNumber(double x, bool sample, ChannelTotals& totals) {
    if (!std::isfinite(x)) return;
    if (x < min_) Restart(x, min_, &ChannelTotals::at_min);
    if (x > max_) Restart(x, max_, &ChannelTotals::at_max);
    ++totals.count;
    totals.zeros += x == 0 ? 1 : 0;
    totals.at_min += x == min_ ? 1 : 0;
    totals.at_max += x == max_ ? 1 : 0;
    totals.abs += std::abs(x);
    totals.min = std::min(totals.min, x);
    totals.max = std::max(totals.max, x);
    if (sample && totals.samples.size() < 2 * kSamplesOfChannel) {
      totals.samples.push_back(x);
    }
  }

  // A new bound: nothing counted so far lies on it.
  void Restart(double x, double& bound, uint64_t ChannelTotals::*at) {
    bound = x;
    for (ChannelTotals& totals : totals_) totals.*at = 0;
  }

  static double Median(std::vector<double> numbers) {
    const auto middle =
        numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    return *middle;
  }

  Channel ChannelAt(size_t i, double mean, double median,
                    const ChannelOptions& options) const {
    const ChannelTotals& totals = totals_[i];
    Channel channel;
    channel.number = static_cast<int64_t>(i);
    channel.mean_abs = mean;
    channel.of_median = median > 0 ? mean / median : (mean > 0 ? HUGE_VAL : 0);
    if (totals.count > 0) {
      const auto count = static_cast<double>(totals.count);
      channel.zeros = static_cast<double>(totals.zeros) / count;
      const uint64_t bounds = (min_ == 0 ? 0 : totals.at_min) +
                              (max_ == 0 || max_ == min_ ? 0 : totals.at_max);
      channel.saturated = static_cast<double>(bounds) / count;
    }
    // One number alone is always a constant.
    channel.dead = totals.count > 1 ? totals.min == totals.max
                                    : totals.count == 1 && mean == 0;
    channel.weak = totals.count > 0 && !channel.dead &&
                   channel.of_median < options.threshold;
    return channel;
  }

  void FindDuplicates(double least, std::vector<Channel>& channels) const {
    if (channels.size() > kMostAlike) return;
    std::vector<double> norms;
    for (const ChannelTotals& totals : totals_) {
      double squares = 0;
      for (const double x : totals.samples) squares += x * x;
      norms.push_back(std::sqrt(squares));
    }
    // Two numbers are alike whatever they are.
    constexpr size_t kEnough = 8;
    for (size_t i = 1; i < channels.size(); ++i) {
      if (channels[i].dead || totals_[i].samples.size() < kEnough) continue;
      for (size_t j = 0; j < i && !channels[i].duplicate_of; ++j) {
        if (channels[j].dead || channels[j].duplicate_of) continue;
        if (Dot(totals_[i].samples, totals_[j].samples) >
            least * norms[i] * norms[j]) {
          channels[i].duplicate_of = static_cast<int64_t>(j);
        }
      }
    }
  }

  static double Dot(const std::vector<double>& a,
                    const std::vector<double>& b) {
    double sum = 0;
    if (a.size() != b.size()) return sum;
    for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }

  Layout layout_;
  std::vector<ChannelTotals> totals_;
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

std::vector<ValueChannels> ChannelsOf(const ValueSource& source,
                                      const ChannelOptions& options) {
  // Of one value after the other, all inputs.
  std::map<std::string, std::vector<size_t>> by_name;
  std::vector<std::string> order;
  for (size_t i = 0; i < source.entries().size(); ++i) {
    std::vector<size_t>& entries = by_name[source.entries()[i].name];
    if (entries.empty()) order.push_back(source.entries()[i].name);
    entries.push_back(i);
  }
  std::vector<ValueChannels> values;
  for (const std::string& name : order) {
    std::optional<Accumulator> all;
    for (const size_t i : by_name[name]) {
      const ValueSource::Entry& entry = source.entries()[i];
      const Data data = source.Read(i);
      const Tensor& tensor = data.tensor;
      if (data.kind != Data::Kind::kTensor || !IsNumber(tensor.type) ||
          tensor.shape.size() < 2) {
        continue;
      }
      const Layout layout = LayoutOf(entry, tensor, options);
      if (layout.channels < 2) continue;
      if (!all) all.emplace(layout);
      if (all->layout().channels == layout.channels) all->Add(tensor, layout);
    }
    if (!all) continue;
    values.push_back(all->Finish(options));
    const ValueSource::Entry& entry = source.entries()[by_name[name].front()];
    values.back().name = name;
    values.back().op_type = entry.op_type;
    values.back().node = entry.node;
  }
  return values;
}

}  // namespace onnx_expose
