#ifndef ONNX_EXPOSE_COMPARE_MODELS_H_
#define ONNX_EXPOSE_COMPARE_MODELS_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "onnx_expose/compare.h"
#include "onnx_expose/run.h"

namespace onnx_expose {

struct CompareModelsRequest {
  std::string model_a;
  std::string model_b;
  // The dumps are FOLDER/a and FOLDER/b.
  std::string folder;
  // How both are run, with the same inputs; `model` and `output` don't count.
  // Without an including option of `select` every value is compared; a pattern
  // need not fit in both.
  RunRequest run;
  CompareOptions compare;
  // Also ComparedValue::introduced: what A's nodes make of B's values.
  bool introduced = false;
};

// Runs both models and compares what they computed. With
// `compare.quantized_names` integers come as the numbers that they stand for in
// their graph.
//
//   CompareModelsRequest request{"int8.onnx", "fp32.onnx", "/tmp/cmp"};
//   request.run.libraries = {"libonnxruntime.so"};
//   CompareResult result = CompareModels(request);
CompareResult CompareModels(const CompareModelsRequest& request);

// Where the two begin to differ, found with a few values at a time where all
// of them would take too much room: the values of the last round, in
// first_divergence the first that differs. Supposes that a difference goes on
// to the values behind it.
CompareResult BisectModels(const CompareModelsRequest& request,
                           size_t values_at_once);

struct ExtractRequest {
  CompareModelsRequest models;
  std::string node;    // its name, or that of a value it computes
  int neighbours = 0;  // nodes before it that come along, in steps
  std::string output;  // folder to write, which must be empty or not there
};

// A model of that node of A alone: OUTPUT/model.onnx and
// OUTPUT/test_data_set_0, whose inputs and expected outputs are what B computed
// under these names and A where B has none of that type and shape.
void ExtractRepro(const ExtractRequest& request);

// Integers of `source` as the numbers that they stand for in the model at
// `model`; everything else as it is. `source` must outlive the result.
std::unique_ptr<ValueSource> Dequantized(const ValueSource& source,
                                         const std::string& model);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_MODELS_H_
