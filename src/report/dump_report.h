#ifndef ONNX_EXPOSE_REPORT_DUMP_REPORT_H_
#define ONNX_EXPOSE_REPORT_DUMP_REPORT_H_

#include <cstddef>
#include <string>

#include "onnx_expose/dump.h"

namespace onnx_expose {

// The statistics of a dump's values for people, worst first: NaN, then
// infinities, then the greatest magnitudes. At most `most` rows; a last line
// says how many more there are. `plot`: with a column of Sparkline.
std::string StatisticsTable(const Manifest& manifest, size_t most,
                            bool plot = false);

// All values in the order of the run instead.
std::string DumpTable(const Manifest& manifest, bool plot);

// The histogram as 16 block characters; empty if nothing is finite.
std::string Sparkline(const Statistics& stats);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_DUMP_REPORT_H_
