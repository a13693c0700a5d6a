#include "report/dump_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "report/table.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

auto Badness(const DumpedValue& value) {
  const Statistics& stats = value.stats;
  return std::make_tuple(stats.nan, stats.pos_inf + stats.neg_inf,
                         GreatestMagnitude(stats));
}

std::string Number(const Statistics& stats, double number) {
  return stats.finite == 0 ? "" : fmt::format("{:.5g}", number);
}

std::string Count(uint64_t count) {
  return count == 0 ? "" : fmt::format("{}", count);
}

}  // namespace

std::string Sparkline(const Statistics& stats) {
  constexpr const char* kBlocks[] = {" ", "▁", "▂", "▃", "▄",
                                     "▅", "▆", "▇", "█"};
  constexpr size_t kWidth = 16;
  constexpr size_t kPerCell = Statistics::kBins / kWidth;
  if (stats.finite == 0) return "";
  std::array<uint64_t, kWidth> cells{};
  for (size_t bin = 0; bin < stats.histogram.size(); ++bin) {
    cells[bin / kPerCell] += stats.histogram[bin];
  }
  const uint64_t most = *std::max_element(cells.begin(), cells.end());
  std::string text;
  for (const uint64_t cell : cells) {
    // Rounded up: what isn't empty is seen.
    const double part =
        most == 0 ? 0 : static_cast<double>(cell) / static_cast<double>(most);
    text += kBlocks[static_cast<size_t>(std::ceil(part * 8))];
  }
  return text;
}

std::string StatisticsTable(const Manifest& manifest, size_t most, bool plot) {
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
  if (plot) table.header.push_back("HISTOGRAM");
  for (const DumpedValue* value : values) {
    const Statistics& stats = value->stats;
    table.rows.push_back({Printable(value->name), Printable(value->op_type),
                          Printable(value->type), Number(stats, stats.min),
                          Number(stats, stats.max), Number(stats, stats.mean),
                          Number(stats, stats.std), Count(stats.zeros),
                          Count(stats.nan),
                          Count(stats.pos_inf + stats.neg_inf)});
    if (plot) table.rows.back().push_back(Sparkline(stats));
  }
  std::string text = TableText(table);
  if (left_out > 0) text += fmt::format("... and {} more\n", left_out);
  return text;
}

}  // namespace onnx_expose
