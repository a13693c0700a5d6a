#ifndef ONNX_EXPOSE_CLI_LIST_DUMP_H_
#define ONNX_EXPOSE_CLI_LIST_DUMP_H_

#include <string>

#include "cli/console.h"

namespace onnx_expose::cli {

// Whether `list` is given a folder, and so a dump instead of a model.
bool IsFolder(const std::string& path);

// Prints the statistics of all values of a dump, or of each of several data
// sets; `plot`: with small histograms if that goes to a terminal.
void ListDump(const std::string& folder, bool plot, Console& console);

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_LIST_DUMP_H_
