#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <vector>

#include "compare/pairing.h"
#include "onnx_expose/compare.h"
#include "tensor/numbers.h"

namespace onnx_expose {
namespace {

constexpr uint64_t kSamples = 4096;
// Two values of noise are as alike as this by chance.
constexpr double kLeast = 0.9;

struct Candidate {
  size_t entry = 0;
  double position = 0;  // in the run, 0 to 1
  std::vector<int64_t> shape;
  std::vector<double> samples;  // their mean is 0, and the norm 1 or 0
};

void Normalize(std::vector<double>& samples) {
  double mean = 0;
  for (const double x : samples)
    mean += x / static_cast<double>(samples.size());
  double squares = 0;
  for (double& x : samples) {
    x -= mean;
    squares += x * x;
  }
  if (squares == 0) return;
  for (double& x : samples) x /= std::sqrt(squares);
}

// Elements at equal distances, about kSamples of them.
std::optional<Candidate> CandidateOf(const ValueSource& source, size_t entry) {
  const Data data = source.Read(entry);
  if (data.kind != Data::Kind::kTensor || !IsNumber(data.tensor.type))
    return {};
  const uint64_t count = ElementCount(data.tensor.shape);
  if (count < 2) return {};
  Candidate candidate;
  candidate.entry = entry;
  candidate.position =
      static_cast<double>(entry) / static_cast<double>(source.entries().size());
  candidate.shape = data.tensor.shape;
  const uint64_t step = (count + kSamples - 1) / kSamples;
  for (uint64_t at = 0; at < count; at += step) {
    double number = 0;
    ToDoubles(data.tensor, at, 1, &number);
    candidate.samples.push_back(std::isfinite(number) ? number : 0);
  }
  Normalize(candidate.samples);
  return candidate;
}

// Pearson's; 0 if a side is constant.
double Correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double ab = 0;
  for (size_t i = 0; i < a.size(); ++i) ab += a[i] * b[i];
  return ab;
}

struct Match {
  double score;  // correlation, less what the order is off
  double correlation;
  size_t a;
  size_t b;
};

std::vector<Match> MatchesOf(const std::vector<Candidate>& of_a,
                             const std::vector<Candidate>& of_b) {
  constexpr double kOrder = 0.01;
  std::vector<Match> matches;
  for (size_t i = 0; i < of_a.size(); ++i) {
    for (size_t j = 0; j < of_b.size(); ++j) {
      if (of_a[i].shape != of_b[j].shape) continue;
      const double correlation = Correlation(of_a[i].samples, of_b[j].samples);
      if (correlation < kLeast) continue;
      const double off = std::abs(of_a[i].position - of_b[j].position);
      matches.push_back({correlation - kOrder * off, correlation, i, j});
    }
  }
  std::stable_sort(
      matches.begin(), matches.end(),
      [](const Match& x, const Match& y) { return x.score > y.score; });
  return matches;
}

}  // namespace

std::vector<SuggestedPair> SuggestPairs(const ValueSource& a,
                                        const ValueSource& b,
                                        const CompareOptions& options) {
  Warnings ignored;
  std::vector<Candidate> of_a;
  std::vector<Candidate> of_b;
  for (const Pairing& pair : PairEntries(a, b, options, ignored)) {
    if (pair.a.has_value() && pair.b.has_value()) continue;
    const ValueSource& source = pair.a.has_value() ? a : b;
    std::optional<Candidate> candidate =
        CandidateOf(source, pair.a.has_value() ? *pair.a : *pair.b);
    if (!candidate.has_value()) continue;
    (pair.a.has_value() ? of_a : of_b).push_back(std::move(*candidate));
  }
  const std::vector<Match> matches = MatchesOf(of_a, of_b);
  std::vector<int> used_a(of_a.size(), 0);
  std::vector<int> used_b(of_b.size(), 0);
  // How many others are as good: of k equal ones each is right one time in k.
  std::vector<int> rivals(of_a.size(), 0);
  for (const Match& match : matches) ++rivals[match.a];
  std::vector<SuggestedPair> pairs;
  for (const Match& match : matches) {
    if (used_a[match.a] != 0 || used_b[match.b] != 0) continue;
    used_a[match.a] = used_b[match.b] = 1;
    const double likeness = (match.correlation - kLeast) / (1 - kLeast);
    pairs.push_back({a.entries()[of_a[match.a].entry].name,
                     b.entries()[of_b[match.b].entry].name,
                     likeness / std::sqrt(rivals[match.a])});
  }
  std::stable_sort(
      pairs.begin(), pairs.end(),
      [](const auto& x, const auto& y) { return x.confidence > y.confidence; });
  return pairs;
}

}  // namespace onnx_expose
