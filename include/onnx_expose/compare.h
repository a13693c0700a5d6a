#ifndef ONNX_EXPOSE_COMPARE_H_
#define ONNX_EXPOSE_COMPARE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "onnx_expose/dump.h"
#include "onnx_expose/error.h"
#include "onnx_expose/statistics.h"
#include "onnx_expose/tensor.h"

namespace onnx_expose {

// --- what is compared ---

// A side of a comparison: values with names, read one at a time.
class ValueSource {
 public:
  struct Entry {
    std::string name;
    std::string set;   // of inputs, where there are several; else empty
    std::string type;  // "float[1,64]"; empty if only reading it tells
    std::string op_type;
    std::string node;
    std::string scope;
    int index = -1;  // order of the run; -1: not known
    // Names of the nearest values in the source that it was computed from;
    // nothing: not known.
    std::optional<std::vector<std::string>> inputs;
  };

  virtual ~ValueSource() = default;
  virtual const std::string& path() const = 0;
  // In the order of the run where it is known; each (set, name) once.
  virtual const std::vector<Entry>& entries() const = 0;
  // Several threads may read at the same time.
  virtual Data Read(size_t entry) const = 0;
  // How large the file is that Read maps; no limit: not known, or it takes
  // memory.
  virtual uint64_t BytesOf(size_t /*entry*/) const { return UINT64_MAX; }
  // Statistics that are stored beside the value or, with --stats-only, in its
  // stead; null: there are none.
  virtual const Statistics* StatisticsOf(size_t /*entry*/) const {
    return nullptr;
  }
  // False: only its statistics are there.
  virtual bool HasData(size_t /*entry*/) const { return true; }
  // A dump of ours: of each set. Otherwise empty.
  virtual std::vector<const Manifest*> manifests() const { return {}; }
};

// A dump folder, or one of several dumps (sets, named after their folders); an
// .npz; a test_data_set_N folder (its outputs); a folder of .npy, .npz and .pb
// files, also in folders inside it: a value's name is the path without the
// extension, of a member of an .npz the member's. A single .npy or .pb is a
// value without a name, which pairs with any other. Throws Error(kInput).
std::unique_ptr<ValueSource> OpenValues(const std::string& path);

// --- how ---

// What is close enough. An element is when
//   |a - b| <= atol + of_peak * max|b| + rtol * |b|;
// a value is when at most the share `outside` of its elements isn't, and the
// cosine and ULP limits hold.
struct Tolerance {
  double atol = 0;
  double rtol = 0;
  // Rounding errors of sums are in proportion to the terms, not to a sum that
  // happens to be small.
  double of_peak = 0;
  double outside = 0;
  std::optional<double> min_cosine;
  std::optional<uint64_t> max_ulp;
};

// The default for an element type, with the reason in docs/compare.md: exact
// for integers, bools and strings.
Tolerance DefaultTolerance(int element_type);

// For values whose name of side A a pattern fits; later rules win over earlier
// ones, fields that aren't set keep what they were. Where `atol` is set and
// `of_peak` isn't, that becomes 0: the two are numpy's isclose.
struct ToleranceRule {
  std::string pattern;  // RE2, searched; "=NAME": exact; empty: all
  std::optional<double> atol;
  std::optional<double> rtol;
  std::optional<double> of_peak;
  std::optional<double> outside;
  std::optional<double> min_cosine;
  std::optional<uint64_t> max_ulp;
};

struct CompareOptions {
  std::vector<ToleranceRule> tolerances;
  // Names of A become names of B: RE2 with \1 in the replacement, the first
  // that fits; and exact pairs.
  std::vector<std::pair<std::string, std::string>> map;
  std::vector<std::pair<std::string, std::string>> pairs;
  // Names that ONNX Runtime's quantiser gives: _quantized,
  // _QuantizeLinear_Output and _DequantizeLinear_Output.
  bool quantized_names = false;
  // Compare statistics even where elements are stored. Where they aren't on a
  // side that is done anyway.
  bool statistics_only = false;
  bool require_all = false;  // what is on one side only makes a difference
  // Floating point of different widths is compared as numbers unless this says
  // that another type is a difference.
  bool same_types = false;
  // Under this absolute value of the reference relative errors are relative to
  // it. Greater than 0.
  double relative_floor = 1e-6;
  // Percentiles and the histogram of |a-b| as well, which take half as long
  // again as all the rest.
  bool distribution = true;
  // 0: one for each core, 8 at most. The result doesn't depend on it.
  size_t threads = 0;
};

// --- what came out ---

enum class Verdict {
  kIdentical,  // bit for bit
  kClose,      // within tolerance
  kDifferent,
  kShape,  // other dims, or another number of parts
  kType,   // other element type or kind
  kOnlyInA,
  kOnlyInB
};
const char* VerdictName(Verdict verdict);  // "identical", "only_in_a"

// a: the value compared; b: the reference. In double, over elements that are
// finite on both sides unless said otherwise. Sequences and maps: over all
// their tensors together.
struct Metrics {
  uint64_t count = 0;     // elements
  uint64_t compared = 0;  // finite on both sides
  uint64_t outside = 0;   // out of tolerance, NaN and Inf that differ included
  // By position: NaN on one side only, +Inf or -Inf on one side only.
  uint64_t nan_only_a = 0;
  uint64_t nan_only_b = 0;
  uint64_t inf_differs = 0;
  double max_abs = 0;
  double mean_abs = 0;
  // 50, 90, 95, 99; 0 unless CompareOptions::distribution asks for them.
  std::array<double, 4> abs_percentiles{};
  double max_rel = 0;
  double mean_rel = 0;
  std::optional<double> cosine;  // nothing if a side is all zero
  std::optional<double> snr_db;  // 10 log10(|b|^2 / |a-b|^2); nothing: no error
  std::optional<double> psnr_db;        // peak: max|b|
  std::optional<uint64_t> max_ulp;      // floating point, of one type
  std::optional<uint64_t> worst_index;  // of max_abs, row-major
  double worst_a = 0;
  double worst_b = 0;
  // Share of rows (last axis) whose greatest element is at the same place;
  // floating point of rank 1 to 3.
  std::optional<double> argmax_agreement;
  // Of |a-b|: bin i has [4^(i-32), 4^(i-31)); the first one all below as well,
  // the last one all above. As abs_percentiles.
  std::array<uint64_t, 64> histogram{};
};

struct ComparedValue {
  std::string name_a;
  std::string name_b;
  std::string set;
  std::string type_a;
  std::string type_b;
  std::string op_type;
  std::string node;
  std::string scope;
  int index = -1;  // order of the run
  Verdict verdict = Verdict::kIdentical;
  std::string reason;  // why, if it isn't the same: "3 of 64 outside 1e-5"
  Tolerance tolerance;
  Metrics metrics;
  // Share of the error that the node made itself; filled in where asked for.
  std::optional<double> introduced;
};

struct CompareResult {
  std::vector<ComparedValue> values;  // in the order of the run
  // Earliest values that differ although nothing before them does; indices in
  // `values`.
  std::vector<size_t> first_divergence;
  bool different = false;
  Warnings warnings;
};

// Compares pairs one after the other: memory is that of two values, and less
// for large .npy files. Where no side says what its values were computed from
// the earliest that differs is where the difference begins.
//
//   auto a = OpenValues("dump_int8"), b = OpenValues("dump_fp32");
//   CompareResult result = CompareValues(*a, *b, {});
//
// Throws Error(kUsage): a pattern that is none. Error(kInput): a file that
// can't be read.
CompareResult CompareValues(const ValueSource& a, const ValueSource& b,
                            const CompareOptions& options);

// Saves the values of `source` as a dump to compare with later on: a folder for
// each set, or `folder` itself; an earlier dump there is replaced. With
// `statistics_only` a manifest without elements, small enough for a repository.
// Throws Error(kOutput).
void SaveBaseline(const ValueSource& source, const std::string& folder,
                  bool statistics_only);

// The metrics of two tensors of the same shape.
Metrics ComputeMetrics(const Tensor& a, const Tensor& b,
                       const Tolerance& tolerance, double relative_floor);

// Likely partners for names that are on one side only, by shape, order and
// content, the surest first; never used unasked.
struct SuggestedPair {
  std::string name_a;
  std::string name_b;
  double confidence = 0;  // 0 to 1
};
std::vector<SuggestedPair> SuggestPairs(const ValueSource& a,
                                        const ValueSource& b,
                                        const CompareOptions& options);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_H_
