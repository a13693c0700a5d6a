#include "onnx_expose/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <thread>

#include "compare/divergence.h"
#include "compare/flattened.h"
#include "compare/metrics.h"
#include "compare/pairing.h"
#include "compare/parallel.h"
#include "compare/statistics_verdict.h"
#include "compare/tolerance.h"
#include "support/text.h"
#include "tensor/data_text.h"

namespace onnx_expose {
namespace {

constexpr const char* kVerdicts[] = {"identical", "close", "different",
                                     "shape",     "type",  "only_in_a",
                                     "only_in_b"};

// Why the metrics aren't good enough; empty: they are.
std::string Violation(const Metrics& metrics, const Tolerance& tolerance,
                      bool identical) {
  if (metrics.nan_only_a + metrics.nan_only_b > 0) {
    return fmt::format(
        "NaN at {} on one side only",
        Counted(metrics.nan_only_a + metrics.nan_only_b, "place"));
  }
  if (metrics.inf_differs > 0) {
    return fmt::format("infinities differ at {}",
                       Counted(metrics.inf_differs, "place"));
  }
  const auto count = static_cast<double>(metrics.count);
  if (static_cast<double>(metrics.outside) > tolerance.outside * count) {
    return fmt::format("{} of {} out of tolerance", metrics.outside,
                       metrics.count);
  }
  if (identical) return "";
  if (tolerance.min_cosine && metrics.max_abs > 0 &&
      metrics.cosine.value_or(0) < *tolerance.min_cosine) {
    return metrics.cosine ? fmt::format("cosine {:.6g} is below {:g}",
                                        *metrics.cosine, *tolerance.min_cosine)
                          : "one side is all zero";
  }
  if (tolerance.max_ulp && metrics.max_ulp.value_or(0) > *tolerance.max_ulp) {
    return fmt::format("{} ULP are more than {}", *metrics.max_ulp,
                       *tolerance.max_ulp);
  }
  return "";
}

void Describe(const ValueSource::Entry& entry, ComparedValue& value) {
  value.set = entry.set;
  value.op_type = entry.op_type;
  value.node = entry.node;
  value.scope = entry.scope;
  value.index = entry.index;
}

class Comparison {
 public:
  Comparison(const ValueSource& a, const ValueSource& b,
             const CompareOptions& options)
      : a_(a), b_(b), options_(options), tolerances_(options.tolerances) {
    constexpr size_t kMostThreads = 8;
    const size_t cores = std::max(1U, std::thread::hardware_concurrency());
    workers_ =
        options.threads > 0 ? options.threads : std::min(cores, kMostThreads);
  }

  CompareResult Run() {
    CompareResult result;
    const std::vector<Pairing> pairs =
        PairEntries(a_, b_, options_, result.warnings);
    WarnOfInputs(result.warnings);
    result.values = CompareAll(pairs);
    bool paired = false;
    for (size_t i = 0; i < pairs.size(); ++i) {
      const Verdict verdict = result.values[i].verdict;
      const bool both = pairs[i].a.has_value() && pairs[i].b.has_value();
      paired = paired || both;
      result.different = result.different || IsDifference(verdict) ||
                         (!both && options_.require_all);
    }
    if (!paired) {
      throw Error(
          ExitCode::kInput, a_.path(),
          {fmt::format("has no value in common with {}", Quoted(b_.path())), "",
           "--map or --map-file says which belong together"});
    }
    result.first_divergence = FirstDivergence(a_, b_, pairs, result.values);
    return result;
  }

 private:
  // On all threads those values that take memory, of which there must be no
  // more than one, and those that would keep one thread busy after the others'
  // end; then the others each on one, the largest first.
  std::vector<ComparedValue> CompareAll(
      const std::vector<Pairing>& pairs) const {
    constexpr uint64_t kSmall = uint64_t{1} << 24;
    std::vector<ComparedValue> values(pairs.size());
    std::vector<uint64_t> bytes;
    uint64_t total = 0;
    for (const Pairing& pair : pairs) {
      bytes.push_back(BytesOf(pair));
      if (bytes.back() != UINT64_MAX) total += bytes.back();
    }
    const uint64_t most = std::max(kSmall, total / (4 * workers_));
    std::vector<size_t> alone;
    std::vector<size_t> others;
    for (size_t i = 0; i < pairs.size(); ++i) {
      (bytes[i] <= most ? others : alone).push_back(i);
    }
    std::stable_sort(others.begin(), others.end(),
                     [&](size_t i, size_t k) { return bytes[i] > bytes[k]; });
    constexpr uint64_t kMostOfFiles = uint64_t{48} << 20;
    std::vector<WorkerMemory> memory(workers_);
    for (WorkerMemory& worker : memory) {
      worker.of_files = kMostOfFiles / workers_;
    }
    for (const size_t i : alone) values[i] = Compare(pairs[i], memory);
    ParallelFor(others.size(), workers_, [&](size_t worker, size_t i) {
      values[others[i]] = Compare(pairs[others[i]], {&memory[worker], 1});
    });
    return values;
  }

  uint64_t BytesOf(const Pairing& pair) const {
    const uint64_t a = pair.a.has_value() ? a_.BytesOf(*pair.a) : 0;
    const uint64_t b = pair.b.has_value() ? b_.BytesOf(*pair.b) : 0;
    return std::max(a, b);
  }

  ComparedValue Compare(const Pairing& pair,
                        std::span<WorkerMemory> memory) const {
    ComparedValue value;
    if (pair.b.has_value()) {
      const ValueSource::Entry& entry = b_.entries()[*pair.b];
      Describe(entry, value);
      value.name_b = entry.name;
      value.type_b = entry.type;
      value.verdict = Verdict::kOnlyInB;
    }
    if (pair.a.has_value()) {
      const ValueSource::Entry& entry = a_.entries()[*pair.a];
      if (!pair.b.has_value() || !entry.op_type.empty()) Describe(entry, value);
      value.name_a = entry.name;
      value.type_a = entry.type;
      value.verdict = Verdict::kOnlyInA;
    }
    if (!pair.a.has_value() || !pair.b.has_value()) return value;
    if (options_.statistics_only || !a_.HasData(*pair.a) ||
        !b_.HasData(*pair.b)) {
      JudgeStatistics(StatisticsIn(a_, *pair.a, value.type_a),
                      StatisticsIn(b_, *pair.b, value.type_b), tolerances_,
                      value);
      return value;
    }
    const Data a = a_.Read(*pair.a);
    const Data b = b_.Read(*pair.b);
    value.type_a = DataText(a, value.type_a);
    value.type_b = DataText(b, value.type_b);
    const Statistics* stored = b_.StatisticsOf(*pair.b);
    const double peak =
        stored == nullptr || stored->finite == 0
            ? 0
            : std::max(std::abs(stored->min), std::abs(stored->max));
    Judge(a, b, peak, memory, value);
    return value;
  }

  void Judge(const Data& a, const Data& b, double peak,
             std::span<WorkerMemory> memory, ComparedValue& value) const {
    const Flattened flat(a, b, options_.same_types);
    value.verdict = flat.mismatch().verdict;
    value.reason = flat.mismatch().reason;
    if (value.verdict != Verdict::kIdentical && !flat.complete()) return;
    const TensorPair* last =
        flat.pairs().empty() ? nullptr : &flat.pairs().back();
    value.tolerance =
        last == nullptr
            ? Tolerance()
            : tolerances_.For(value.name_a, last->a->type, last->b->type);
    bool identical = true;
    const MetricsTask task{value.tolerance, options_.relative_floor,
                           options_.distribution, peak};
    value.metrics = MetricsOf(flat.pairs(), task, memory, identical);
    if (value.verdict != Verdict::kIdentical) return;
    value.reason = Violation(value.metrics, value.tolerance, identical);
    if (!value.reason.empty()) {
      value.verdict = Verdict::kDifferent;
    } else if (!identical) {
      value.verdict = Verdict::kClose;
    }
  }

  // Values of different inputs differ for no fault of the model.
  void WarnOfInputs(Warnings& warnings) const {
    const auto of_a = a_.manifests();
    const auto of_b = b_.manifests();
    std::vector<std::string> differ;
    for (size_t set = 0; set < std::min(of_a.size(), of_b.size()); ++set) {
      for (const DumpHeader::Input& a : of_a[set]->inputs) {
        for (const DumpHeader::Input& b : of_b[set]->inputs) {
          const bool comparable = !a.sha256.empty() && !b.sha256.empty();
          if (a.name != b.name || !comparable || a.sha256 == b.sha256) continue;
          differ.push_back(a.name);
        }
      }
    }
    if (differ.empty()) return;
    warnings.push_back({fmt::format("the two were fed with different inputs {}",
                                    NameList(differ)),
                        "so all values may differ", ""});
  }

  const ValueSource& a_;
  const ValueSource& b_;
  const CompareOptions& options_;
  Tolerances tolerances_;
  size_t workers_ = 1;
};

}  // namespace

const char* VerdictName(Verdict verdict) {
  return kVerdicts[static_cast<size_t>(verdict)];
}

CompareResult CompareValues(const ValueSource& a, const ValueSource& b,
                            const CompareOptions& options) {
  return Comparison(a, b, options).Run();
}

}  // namespace onnx_expose
