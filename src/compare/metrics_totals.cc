#include "compare/metrics_totals.h"

#include <algorithm>
#include <cmath>

#include "tensor/square_scale.h"

namespace onnx_expose {
namespace {

Sums SumsOf(const std::vector<Chunk>& chunks) {
  Sums all;
  for (const Chunk& chunk : chunks) {
    all.abs.Add(chunk.sums.abs.value());
    all.rel.Add(chunk.sums.rel.value());
    all.aa.Add(chunk.sums.aa.value());
    all.bb.Add(chunk.sums.bb.value());
    all.ab.Add(chunk.sums.ab.value());
    all.dd.Add(chunk.sums.dd.value());
  }
  return all;
}

}  // namespace

Totals Total(const std::vector<Chunk>& chunks, bool ulp, Metrics& metrics) {
  Totals totals;
  metrics.max_abs = 0;
  double worst = -1;
  for (const Chunk& chunk : chunks) {
    totals.identical = totals.identical && chunk.identical;
    totals.max_a = std::max(totals.max_a, chunk.max_a);
    totals.max_b = std::max(totals.max_b, chunk.max_b);
    totals.same_argmax += chunk.same_argmax;
    totals.any_outside =
        totals.any_outside || chunk.outside > 0 || chunk.unsure.any();
    metrics.compared += chunk.compared;
    metrics.nan_only_a += chunk.not_finite.nan_only_a;
    metrics.nan_only_b += chunk.not_finite.nan_only_b;
    metrics.inf_differs += chunk.not_finite.inf_differs;
    metrics.max_rel = std::max(metrics.max_rel, chunk.max_rel);
    if (ulp) {
      metrics.max_ulp = std::max(metrics.max_ulp.value_or(0), chunk.max_ulp);
    }
    if (chunk.max_abs <= worst) continue;
    worst = metrics.max_abs = chunk.max_abs;
    metrics.worst_index = chunk.worst;
    metrics.worst_a = chunk.worst_a;
    metrics.worst_b = chunk.worst_b;
  }
  if (metrics.compared == 0) metrics.max_ulp.reset();
  return totals;
}

Scales ScalesOf(const Totals& totals, double max_abs) {
  return {SquareScale(totals.max_a), SquareScale(totals.max_b),
          SquareScale(max_abs)};
}

void FillInSums(const std::vector<Chunk>& chunks, const Scales& scales,
                double max_b, Metrics& metrics) {
  if (metrics.compared == 0) return;
  const Sums sums = SumsOf(chunks);
  const auto count = static_cast<double>(metrics.compared);
  metrics.mean_abs = sums.abs.value() / count / scales.d;
  metrics.mean_rel = sums.rel.value() / count;
  const double aa = sums.aa.value();
  const double bb = sums.bb.value();
  const double dd = sums.dd.value();
  if (aa > 0 && bb > 0) {
    metrics.cosine = std::clamp(
        sums.ab.value() / (std::sqrt(aa) * std::sqrt(bb)), -1.0, 1.0);
  }
  if (dd == 0) return;
  metrics.snr_db =
      10 * std::log10(bb / dd) + 20 * std::log10(scales.d / scales.b);
  metrics.psnr_db = 20 * std::log10(max_b) + 20 * std::log10(scales.d) -
                    10 * std::log10(dd / count);
}

void FillInOrder(const OrderStatistics& order, Metrics& metrics) {
  for (size_t i = 0; i < OrderStatistics::kPercents.size(); ++i) {
    metrics.abs_percentiles[i] =
        order.Percentile(OrderStatistics::kPercents[i]);
  }
  metrics.histogram = order.Histogram();
}

}  // namespace onnx_expose
