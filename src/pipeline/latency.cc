#include <algorithm>
#include <cmath>
#include <numeric>

#include "onnx_expose/bench.h"

namespace onnx_expose {
namespace {

double Percentile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  const double rest = place - static_cast<double>(below);
  return sorted[below] + rest * (sorted[above] - sorted[below]);
}

}  // namespace

Latency LatencyOf(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  Latency result;
  result.runs = times.size();
  const auto count = static_cast<double>(times.size());
  result.min = times.front();
  result.max = times.back();
  result.mean = std::accumulate(times.begin(), times.end(), 0.0) / count;
  double squares = 0;
  for (const double time : times) {
    squares += (time - result.mean) * (time - result.mean);
  }
  result.std = times.size() > 1 ? std::sqrt(squares / (count - 1)) : 0;
  result.p50 = Percentile(times, 0.50);
  result.p90 = Percentile(times, 0.90);
  result.p95 = Percentile(times, 0.95);
  result.p99 = Percentile(times, 0.99);
  return result;
}

}  // namespace onnx_expose
