#ifndef ONNX_EXPOSE_REPORT_MODEL_SUMMARY_H_
#define ONNX_EXPOSE_REPORT_MODEL_SUMMARY_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/json.h"

namespace onnx_expose {

// What a model is, in numbers.
struct ModelSummary {
  std::string path;
  int64_t ir_version = 0;
  std::vector<std::pair<std::string, int64_t>> opsets;  // domain, version
  std::string producer;
  std::string producer_version;
  std::string graph;
  std::vector<std::pair<std::string, std::string>> inputs;  // name, type
  std::vector<std::pair<std::string, std::string>> outputs;
  uint64_t nodes = 0;  // of all scopes, each function once
  std::vector<std::pair<std::string, uint64_t>> ops;  // most frequent first
  uint64_t bodies = 0;
  uint64_t functions = 0;
  uint64_t initializers = 0;
  uint64_t parameters = 0;    // elements of the initializers
  uint64_t weight_bytes = 0;  // what they take in memory
  uint64_t file_bytes = 0;    // of the model file alone
};

// A few lines for people.
std::string SummaryText(const ModelSummary& summary);

Json SummaryJson(const ModelSummary& summary);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_MODEL_SUMMARY_H_
