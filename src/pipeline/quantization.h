#ifndef ONNX_EXPOSE_PIPELINE_QUANTIZATION_H_
#define ONNX_EXPOSE_PIPELINE_QUANTIZATION_H_

#include <map>
#include <string>
#include <vector>

#include "onnx_expose/graph_index.h"
#include "onnx_expose/tensor.h"

namespace onnx_expose {

// Names of the values that say what a quantised value of the main graph stands
// for: real = (integer - zero_point) * scale.
struct QuantizationNames {
  std::string scale;
  std::string zero_point;  // empty: 0
};

// By the name of the quantised value: from the nodes that make it
// (QuantizeLinear, DynamicQuantizeLinear, QLinear...) or that read it
// (DequantizeLinear, QLinear...).
std::map<std::string, QuantizationNames> QuantizationsOf(
    const GraphIndex& index);

struct Quantization {
  std::vector<double> scale;       // one, or one for each index of `axis`
  std::vector<double> zero_point;  // as many, or none: 0
};

// A float tensor of what `tensor` stands for; one scale, or one for each index
// of an axis of that size (the last of them). Nothing changes if neither fits.
Tensor Dequantize(const Tensor& tensor, const Quantization& quantization);

// The other way round, to the integer type of `type`; one scale only.
Tensor Quantize(const Tensor& tensor, const Quantization& quantization,
                int type);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_PIPELINE_QUANTIZATION_H_
