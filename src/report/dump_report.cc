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

using Values = std::vector<const DumpedValue*>;

Values ValuesOf(const Manifest& manifest) {
  Values values;
  for (const DumpedValue& value : manifest.values) values.push_back(&value);
  return values;
}

// The histograms come first: behind names of any length they wouldn't stand
// one below the other.
void AddHistograms(const Values& values, Table& table) {
  table.header.insert(table.header.begin(), "HISTOGRAM");
  for (size_t& column : table.right) ++column;
  for (size_t i = 0; i < values.size(); ++i) {
    auto& row = table.rows[i];
    row.insert(row.begin(), Sparkline(values[i]->stats));
  }
}

std::string TableOf(const Values& values, bool plot) {
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
  if (plot) AddHistograms(values, table);
  return TableText(table);
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
  Values values = ValuesOf(manifest);
  std::stable_sort(values.begin(), values.end(),
                   [](auto* a, auto* b) { return Badness(*a) > Badness(*b); });
  const size_t left_out = values.size() - std::min(values.size(), most);
  values.resize(values.size() - left_out);
  std::string text = TableOf(values, plot);
  if (left_out > 0) text += fmt::format("... and {} more\n", left_out);
  return text;
}

std::string DumpTable(const Manifest& manifest, bool plot) {
  return TableOf(ValuesOf(manifest), plot);
}

}  // namespace onnx_expose
