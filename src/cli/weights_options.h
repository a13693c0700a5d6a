#ifndef ONNX_EXPOSE_CLI_WEIGHTS_OPTIONS_H_
#define ONNX_EXPOSE_CLI_WEIGHTS_OPTIONS_H_

#include <string>

#include "cli/options.h"
#include "onnx_expose/writer.h"

namespace onnx_expose::cli {

// --weights of expose and strip.
void AddWeightsOption(Options& options, std::string& mode);
Weights ParseWeights(const std::string& mode);

// Where the weights of a written model are, for people; empty if they are where
// they were.
std::string WeightsLine(const std::string& model, const std::string& output,
                        Weights mode, const WriteReport& written);

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_WEIGHTS_OPTIONS_H_
