#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <vector>

#include "onnx_expose/report.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

constexpr size_t kMostRows = 10;

// A code span: nothing in it is markup, nobody is mentioned. More backticks
// than the text has in a row; in tables a bar needs a backslash all the same.
std::string Code(const std::string& name) {
  const std::string text = Printable(name);
  if (text.empty()) return "";
  size_t longest = 0, run = 0;
  std::string escaped;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  const std::string fence(longest + 1, '`');
  const char* space = longest > 0 ? " " : "";
  return fence + space + escaped + space + fence;
}

std::string Head(const ReportSubject& subject) {
  std::string text;
  const char* names[] = {"A", "B"};
  for (size_t i = 0; i < subject.manifests().size(); ++i) {
    const Manifest& manifest = subject.manifests()[i];
    text += fmt::format(
        "- {}{} in {}, ONNX Runtime {}, optimisation {}\n",
        subject.manifests().size() == 2 ? fmt::format("{}: ", names[i]) : "",
        Code(manifest.model.path), Code(subject.folders()[i]),
        Printable(manifest.runtime.version),
        Printable(manifest.runtime.opt_level));
  }
  return text;
}

uint64_t NotFinite(const Statistics& stats) {
  return stats.nan + stats.pos_inf + stats.neg_inf;
}

std::string StatisticsRows(const ReportSubject& subject) {
  std::vector<const DumpedValue*> worst;
  size_t bad = 0;
  for (const ReportSubject::Value& value : subject.values()) {
    worst.push_back(value.a);
    if (NotFinite(value.a->stats) > 0) ++bad;
  }
  std::stable_sort(worst.begin(), worst.end(), [](auto* x, auto* y) {
    return std::make_tuple(NotFinite(x->stats), GreatestMagnitude(x->stats)) >
           std::make_tuple(NotFinite(y->stats), GreatestMagnitude(y->stats));
  });
  std::string text = fmt::format("**{}**, {} with NaN or infinity\n",
                                 Counted(worst.size(), "value"),
                                 bad == 0 ? "none" : fmt::format("{}", bad));
  if (worst.empty()) return text;
  text +=
      "\n| value | op | type | NaN | Inf | min | max |\n"
      "|---|---|---|--:|--:|--:|--:|\n";
  for (size_t i = 0; i < std::min(kMostRows, worst.size()); ++i) {
    const Statistics& stats = worst[i]->stats;
    const bool any = stats.finite > 0;
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n",
                        Code(worst[i]->name), Code(worst[i]->op_type),
                        Code(worst[i]->type), stats.nan,
                        stats.pos_inf + stats.neg_inf,
                        any ? fmt::format("{:.5g}", stats.min) : "",
                        any ? fmt::format("{:.5g}", stats.max) : "");
  }
  return text;
}

auto Badness(const ComparedValue& value) {
  return std::make_tuple(static_cast<int>(value.verdict),
                         value.metrics.max_rel);
}

std::string ComparedRows(const CompareResult& result) {
  std::vector<const ComparedValue*> worst;
  for (const ComparedValue& value : result.values) {
    if (value.verdict != Verdict::kIdentical &&
        value.verdict != Verdict::kClose) {
      worst.push_back(&value);
    }
  }
  std::string text = fmt::format("**{}** of {} differ\n", worst.size(),
                                 Counted(result.values.size(), "value"));
  for (const size_t first : result.first_divergence) {
    text += fmt::format("\nThe difference begins at {} ({}).\n",
                        Code(result.values[first].name_a),
                        Code(result.values[first].op_type));
    break;
  }
  std::stable_sort(worst.begin(), worst.end(),
                   [](auto* x, auto* y) { return Badness(*x) > Badness(*y); });
  if (worst.empty()) return text;
  text +=
      "\n| value | op | verdict | max abs | max rel | cosine | why |\n"
      "|---|---|---|--:|--:|--:|---|\n";
  for (size_t i = 0; i < std::min(kMostRows, worst.size()); ++i) {
    const ComparedValue& value = *worst[i];
    text += fmt::format(
        "| {} | {} | {} | {:.4g} | {:.4g} | {} | {} |\n",
        Code(value.name_a.empty() ? value.name_b : value.name_a),
        Code(value.op_type), VerdictName(value.verdict), value.metrics.max_abs,
        value.metrics.max_rel,
        value.metrics.cosine ? fmt::format("{:.6g}", *value.metrics.cosine)
                             : "",
        Code(value.reason));
  }
  return text;
}

}  // namespace

std::string MarkdownReport(const ReportSubject& subject) {
  return "### onnx-expose\n\n" + Head(subject) + "\n" +
         (subject.comparison() ? ComparedRows(*subject.comparison())
                               : StatisticsRows(subject));
}

}  // namespace onnx_expose
