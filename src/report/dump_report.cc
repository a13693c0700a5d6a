#include "report/dump_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "report/table.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

double Magnitude(const Statistics& stats) {
  return stats.finite == 0 ? 0
                           : std::max(std::abs(stats.min), std::abs(stats.max));
}

auto Badness(const DumpedValue& value) {
  const Statistics& stats = value.stats;
  return std::make_tuple(stats.nan, stats.pos_inf + stats.neg_inf,
                         Magnitude(stats));
}

std::string Number(const Statistics& stats, double number) {
  return stats.finite == 0 ? "" : fmt::format("{:.5g}", number);
}

std::string Count(uint64_t count) {
  return count == 0 ? "" : fmt::format("{}", count);
}

}  // namespace

std::string StatisticsTable(const Manifest& manifest, size_t most) {
  std::vector<const DumpedValue*> values;
  for (const DumpedValue& value : manifest.values) values.push_back(&value);
  std::stable_sort(values.begin(), values.end(),
                   [](auto* a, auto* b) { return Badness(*a) > Badness(*b); });
  const size_t left_out = values.size() - std::min(values.size(), most);
  values.resize(values.size() - left_out);
  Table table{{"VALUE", "OP", "TYPE", "MIN", "MAX", "MEAN", "STD", "ZEROS",
               "NAN", "INF"},
              {3, 4, 5, 6, 7, 8, 9},
              {}};
  for (const DumpedValue* value : values) {
    const Statistics& stats = value->stats;
    table.rows.push_back({Printable(value->name), Printable(value->op_type),
                          Printable(value->type), Number(stats, stats.min),
                          Number(stats, stats.max), Number(stats, stats.mean),
                          Number(stats, stats.std), Count(stats.zeros),
                          Count(stats.nan),
                          Count(stats.pos_inf + stats.neg_inf)});
  }
  std::string text = TableText(table);
  if (left_out > 0) text += fmt::format("... and {} more\n", left_out);
  return text;
}

}  // namespace onnx_expose
