#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/text.h"
#include "tensor/manifest.h"

namespace onnx_expose {
namespace {

std::string Cell(const std::string& name) {
  const std::string text = IsUtf8(name) ? name : Printable(name);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted.push_back('"');
    quoted.push_back(c);
  }
  return quoted + "\"";
}

std::string NumberCell(bool exists, double number) {
  return exists && std::isfinite(number) ? fmt::format("{}", number) : "";
}

std::string Line(const DumpedValue& value) {
  const Statistics& stats = value.stats;
  const auto shape = "[" + Joined(value.shape, ",") + "]";
  std::vector<std::string> cells = {Cell(value.name),
                                    Cell(value.op_type),
                                    Cell(value.node),
                                    Cell(value.scope),
                                    Cell(value.type),
                                    HasShape(value) ? Cell(shape) : "",
                                    fmt::format("{}", stats.count)};
  for (const double number :
       {stats.min, stats.max, stats.mean, stats.std, stats.l2}) {
    cells.push_back(NumberCell(stats.finite > 0, number));
  }
  for (const uint64_t count :
       {stats.zeros, stats.nan, stats.pos_inf, stats.neg_inf}) {
    cells.push_back(HasNumbers(value) ? fmt::format("{}", count) : "");
  }
  cells.push_back(stats.first_bad ? fmt::format("{}", *stats.first_bad) : "");
  return Joined(cells, ",") + "\n";
}

}  // namespace

std::string StatisticsCsv(const Manifest& manifest) {
  std::string text =
      "name,op_type,node,scope,type,shape,count,min,max,mean,std,l2,zeros,nan,"
      "pos_inf,neg_inf,first_bad\n";
  for (const DumpedValue& value : manifest.values) text += Line(value);
  return text;
}

}  // namespace onnx_expose
