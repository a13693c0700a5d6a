#include "report/compare_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include "report/table.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool IsDifferent(const ComparedValue& value) {
  return value.verdict == Verdict::kDifferent ||
         value.verdict == Verdict::kShape || value.verdict == Verdict::kType;
}

bool HasMetrics(const ComparedValue& value) {
  return value.metrics.compared > 0;
}

std::string NameOf(const ComparedValue& value) {
  std::string name = value.name_a.empty() ? value.name_b : value.name_a;
  if (!value.name_a.empty() && !value.name_b.empty() &&
      value.name_a != value.name_b) {
    name += " = " + value.name_b;
  }
  if (name.empty()) name = "(unnamed)";
  return value.set.empty() ? name : value.set + ": " + name;
}

int Severity(Verdict verdict) {
  // By Verdict.
  constexpr std::array<int, 7> kSeverities = {5, 4, 2, 0, 1, 3, 3};
  return kSeverities[static_cast<size_t>(verdict)];
}

// The smaller, the worse.
auto Goodness(const ComparedValue& value) {
  const Metrics& metrics = value.metrics;
  const uint64_t bad =
      metrics.nan_only_a + metrics.nan_only_b + metrics.inf_differs;
  return std::make_tuple(Severity(value.verdict), bad == 0,
                         metrics.snr_db.value_or(kInfinity),
                         -static_cast<double>(metrics.outside));
}

void Sort(CompareOrder order, std::vector<const ComparedValue*>& values) {
  const auto by = [&](auto key) {
    std::stable_sort(values.begin(), values.end(),
                     [&](auto* a, auto* b) { return key(*a) < key(*b); });
  };
  switch (order) {
    case CompareOrder::kWorst:
      return by([](auto& value) { return Goodness(value); });
    case CompareOrder::kRun:
      return;
    case CompareOrder::kName:
      return by([](auto& value) { return NameOf(value); });
    case CompareOrder::kMaxAbs:
      return by([](auto& value) { return -value.metrics.max_abs; });
    case CompareOrder::kMaxRel:
      return by([](auto& value) { return -value.metrics.max_rel; });
    case CompareOrder::kCosine:
      return by([](auto& value) { return value.metrics.cosine.value_or(2); });
    case CompareOrder::kIntroduced:
      return by([](auto& value) { return -value.introduced.value_or(-1); });
  }
}

std::string Number(const ComparedValue& value, double number) {
  return HasMetrics(value) ? fmt::format("{:.4g}", number) : "";
}

std::string Number(const std::optional<double>& number, const char* format) {
  return number ? fmt::format(fmt::runtime(format), *number) : "";
}

std::string TypeOf(const ComparedValue& value) {
  if (value.type_a.empty() || value.type_a == value.type_b) return value.type_b;
  return value.type_b.empty() ? value.type_a
                              : value.type_a + " | " + value.type_b;
}

std::string Described(const ComparedValue& value) {
  std::string text;
  if (!value.op_type.empty()) {
    text = Printable(value.op_type) + " ";
    text += value.node.empty() ? "(unnamed)" : Quoted(value.node);
    if (!value.scope.empty()) text += " in " + Quoted(value.scope);
    text += ", ";
  }
  text += "value " + Quoted(value.name_a);
  if (!value.set.empty()) text += " of set " + Quoted(value.set);
  return text;
}

}  // namespace

std::string CompareTable(const CompareResult& result, CompareOrder order,
                         size_t most) {
  std::vector<const ComparedValue*> values;
  for (const ComparedValue& value : result.values) values.push_back(&value);
  Sort(order, values);
  if (most == 0) most = values.size();
  const size_t left_out = values.size() - std::min(values.size(), most);
  values.resize(values.size() - left_out);
  Table table{{"VALUE", "OP", "TYPE", "VERDICT", "OUTSIDE", "MAX ABS",
               "MAX REL", "COSINE", "SNR dB", "ULP"},
              {4, 5, 6, 7, 8, 9},
              {}};
  const bool introduced =
      std::any_of(values.begin(), values.end(),
                  [](auto* value) { return value->introduced.has_value(); });
  if (introduced) {
    table.header.emplace_back("INTRODUCED");
    table.right.push_back(table.header.size() - 1);
  }
  for (const ComparedValue* value : values) {
    const Metrics& metrics = value->metrics;
    table.rows.push_back(
        {Printable(NameOf(*value)), Printable(value->op_type),
         Printable(TypeOf(*value)), VerdictName(value->verdict),
         metrics.outside == 0 ? "" : fmt::format("{}", metrics.outside),
         Number(*value, metrics.max_abs), Number(*value, metrics.max_rel),
         Number(metrics.cosine, "{:.7f}"), Number(metrics.snr_db, "{:.2f}"),
         metrics.max_ulp ? fmt::format("{}", *metrics.max_ulp) : ""});
    if (introduced) {
      table.rows.back().push_back(Number(value->introduced, "{:.3g}"));
    }
  }
  std::string text = TableText(table);
  if (left_out > 0) text += fmt::format("... and {} more\n", left_out);
  return text;
}

std::vector<std::string> DivergenceLines(const CompareResult& result) {
  constexpr size_t kMostLines = 10;
  std::vector<std::string> lines;
  for (const size_t i : result.first_divergence) {
    if (lines.size() == kMostLines) {
      lines.push_back(fmt::format("... and {} more (all with --json)",
                                  result.first_divergence.size() - kMostLines));
      break;
    }
    const ComparedValue& value = result.values[i];
    const Metrics& metrics = value.metrics;
    std::string line =
        fmt::format("first divergence: {}: {}", Described(value), value.reason);
    if (metrics.compared > 0 && metrics.worst_index && metrics.max_abs > 0) {
      line +=
          fmt::format("; worst at element {}: {:.9g} against {:.9g}",
                      *metrics.worst_index, metrics.worst_a, metrics.worst_b);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string CompareSummary(const CompareResult& result) {
  std::array<size_t, 7> counts{};
  for (const ComparedValue& value : result.values) {
    ++counts[static_cast<size_t>(value.verdict)];
  }
  const auto of = [&](Verdict verdict) {
    return counts[static_cast<size_t>(verdict)];
  };
  const size_t alone = of(Verdict::kOnlyInA) + of(Verdict::kOnlyInB);
  std::vector<std::string> parts;
  const auto say = [&](size_t count, const char* what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  say(of(Verdict::kIdentical), "identical");
  say(of(Verdict::kClose), "close");
  say(of(Verdict::kDifferent), "different");
  say(of(Verdict::kShape), "of other shapes");
  say(of(Verdict::kType), "of other types");
  say(of(Verdict::kOnlyInA), "in A only");
  say(of(Verdict::kOnlyInB), "in B only");
  return fmt::format("{} compared: {}",
                     Counted(result.values.size() - alone, "value"),
                     Joined(parts, ", "));
}

std::string CompareJunit(const CompareResult& result, const std::string& path_a,
                         const std::string& path_b, bool require_all) {
  const auto escaped = [](const std::string& text) {
    std::string out;
    for (const char c : Printable(text)) {
      switch (c) {
        case '&':
          out += "&amp;";
          break;
        case '<':
          out += "&lt;";
          break;
        case '>':
          out += "&gt;";
          break;
        case '"':
          out += "&quot;";
          break;
        default:
          out += c;
      }
    }
    return out;
  };
  std::string cases;
  size_t failures = 0;
  size_t skipped = 0;
  for (const ComparedValue& value : result.values) {
    const bool alone = value.verdict == Verdict::kOnlyInA ||
                       value.verdict == Verdict::kOnlyInB;
    cases += fmt::format("  <testcase classname=\"{}\" name=\"{}\"",
                         escaped(value.op_type), escaped(NameOf(value)));
    if (IsDifferent(value) || (alone && require_all)) {
      ++failures;
      cases += fmt::format(
          ">\n    <failure type=\"{}\" message=\"{}\"/>\n  </testcase>\n",
          VerdictName(value.verdict),
          escaped(alone ? "on one side only" : value.reason));
    } else if (alone) {
      ++skipped;
      cases +=
          ">\n    <skipped message=\"on one side only\"/>\n  </testcase>\n";
    } else {
      cases += "/>\n";
    }
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"{} against {}\" tests=\"{}\" failures=\"{}\" "
      "errors=\"0\" skipped=\"{}\">\n{}</testsuite>\n",
      escaped(path_a), escaped(path_b), result.values.size(), failures, skipped,
      cases);
}

}  // namespace onnx_expose
