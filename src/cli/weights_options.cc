#include "cli/weights_options.h"

#include <fmt/format.h>

#include "cli/flag_values.h"
#include "support/text.h"

namespace onnx_expose::cli {

void AddWeightsOption(Options& options, std::string& mode) {
  options.Text("--weights", mode, "MODE",
               "copy: they stay where they are (the default); reference: OUT "
               "points into MODEL, in the same folder; external: into "
               "OUT.data; inline: from data files into OUT");
}

Weights ParseWeights(const std::string& mode) {
  return static_cast<Weights>(ParseChoice(
      "--weights", mode, {"copy", "reference", "external", "inline"}));
}

std::string WeightsLine(const std::string& model, const std::string& output,
                        Weights mode, const WriteReport& written) {
  if (mode == Weights::kCopy) return "";
  if (written.moved == 0) {
    return mode == Weights::kInline
               ? "no weights outside of the file"
               : "no weights to move: none of 1 kB or more that could be";
  }
  const std::string what =
      fmt::format("weights: {} ({})", Counted(written.moved, "tensor"),
                  ByteText(written.moved_bytes));
  if (mode == Weights::kInline) return what + " put into the file";
  const bool reference = mode == Weights::kReference;
  std::string line =
      fmt::format("{} {} {}", what, reference ? "left in" : "written to",
                  Quoted(reference ? model : DataFileOf(output)));
  if (written.inline_bytes > 0) {
    line += fmt::format(", {} can only be in the file itself",
                        ByteText(written.inline_bytes));
  }
  return line;
}

}  // namespace onnx_expose::cli
