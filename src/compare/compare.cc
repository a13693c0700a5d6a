#include "onnx_expose/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include "compare/divergence.h"
#include "compare/metrics.h"
#include "compare/pairing.h"
#include "compare/statistics_verdict.h"
#include "compare/tolerance.h"
#include "onnx_expose/element_types.h"
#include "support/text.h"
#include "tensor/data_text.h"
#include "tensor/element_bits.h"
#include "tensor/numbers.h"

namespace onnx_expose {
namespace {

constexpr const char* kVerdicts[] = {"identical", "close", "different",
                                     "shape",     "type",  "only_in_a",
                                     "only_in_b"};

struct Mismatch {
  Verdict verdict = Verdict::kIdentical;
  std::string reason;
};

// Tensors that can be compared one by one; a mismatch where they can't.
class Flattened {
 public:
  Flattened(const Data& a, const Data& b, bool same_types)
      : same_types_(same_types) {
    Add(a, b);
  }
  const std::vector<TensorPair>& pairs() const { return pairs_; }
  const Mismatch& mismatch() const { return mismatch_; }
  // Whether `pairs` is all of both sides, in spite of a mismatch of types.
  bool complete() const { return complete_; }

 private:
  void Say(Verdict verdict, std::string reason, bool complete = false) {
    complete_ = complete_ && complete;
    if (mismatch_.verdict == Verdict::kIdentical) {
      mismatch_ = {verdict, std::move(reason)};
    }
  }

  void Add(const Data& a, const Data& b) {
    if (a.kind != b.kind) {
      if (a.kind == Data::Kind::kNone || b.kind == Data::Kind::kNone) {
        return Say(Verdict::kShape, "none on one side");
      }
      return Say(Verdict::kType, KindText(a) + " against " + KindText(b));
    }
    if (a.kind == Data::Kind::kTensor) return AddTensors(a.tensor, b.tensor);
    if (a.parts.size() != b.parts.size()) {
      return Say(Verdict::kShape, fmt::format("{} against {} tensors",
                                              a.parts.size(), b.parts.size()));
    }
    for (size_t i = 0; i < a.parts.size(); ++i) Add(a.parts[i], b.parts[i]);
  }

  void AddTensors(const Tensor& a, const Tensor& b) {
    if (a.shape != b.shape) {
      return Say(Verdict::kShape,
                 fmt::format("shape [{}] against [{}]", Joined(a.shape, ","),
                             Joined(b.shape, ",")));
    }
    const bool numbers = IsNumber(a.type) && IsNumber(b.type);
    const bool floats = IsFloatType(a.type) && IsFloatType(b.type);
    if (a.type != b.type && (!floats || same_types_)) {
      Say(Verdict::kType,
          fmt::format("{} against {}", ElementName(a.type),
                      ElementName(b.type)),
          numbers);
      if (!numbers) return;
    }
    pairs_.push_back({&a, &b});
  }

  static std::string KindText(const Data& data) {
    switch (data.kind) {
      case Data::Kind::kTensor:
        return "a tensor";
      case Data::Kind::kSequence:
        return "a sequence";
      case Data::Kind::kMap:
        return "a map";
      case Data::Kind::kNone:
        break;
    }
    return "none";
  }

  bool same_types_;
  bool complete_ = true;
  std::vector<TensorPair> pairs_;
  Mismatch mismatch_;
};

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
    bool paired = false;
    for (const Pairing& pair : pairs) {
      result.values.push_back(Compare(pair));
      const Verdict verdict = result.values.back().verdict;
      const bool both = pair.a.has_value() && pair.b.has_value();
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
  ComparedValue Compare(const Pairing& pair) const {
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
    Judge(a, b, peak, value);
    return value;
  }

  void Judge(const Data& a, const Data& b, double peak,
             ComparedValue& value) const {
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
    value.metrics =
        MetricsOf(flat.pairs(), value.tolerance, options_.relative_floor,
                  workers_, peak, identical);
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
