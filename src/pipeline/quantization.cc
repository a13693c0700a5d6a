#include "pipeline/quantization.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "tensor/element_bits.h"
#include "tensor/numbers.h"

namespace onnx_expose {
namespace {

// A quantised value among a node's inputs or outputs, and where its scale is;
// the zero point is the input (or output) behind it.
struct QuantizedPlace {
  std::string_view op;
  bool is_output;  // the value
  int value;       // its position
  bool scale_is_output;
  int scale;
};

// ONNX: QuantizeLinear and its kin, QLinearConv, QLinearMatMul. Domain
// com.microsoft: the rest (ONNX Runtime, docs/ContribOperators.md).
constexpr QuantizedPlace kPlaces[] = {
    {"QuantizeLinear", true, 0, false, 1},
    {"DequantizeLinear", false, 0, false, 1},
    {"DynamicQuantizeLinear", true, 0, true, 1},
    {"QLinearConv", false, 0, false, 1},
    {"QLinearConv", false, 3, false, 4},
    {"QLinearConv", true, 0, false, 6},
    {"QLinearMatMul", false, 0, false, 1},
    {"QLinearMatMul", false, 3, false, 4},
    {"QLinearMatMul", true, 0, false, 6},
    {"QLinearAdd", false, 0, false, 1},
    {"QLinearAdd", false, 3, false, 4},
    {"QLinearAdd", true, 0, false, 6},
    {"QLinearMul", false, 0, false, 1},
    {"QLinearMul", false, 3, false, 4},
    {"QLinearMul", true, 0, false, 6},
    {"QGemm", false, 0, false, 1},
    {"QGemm", false, 3, false, 4},
    {"QGemm", true, 0, false, 7},
    {"QLinearSigmoid", false, 0, false, 1},
    {"QLinearSigmoid", true, 0, false, 3},
    {"QLinearLeakyRelu", false, 0, false, 1},
    {"QLinearLeakyRelu", true, 0, false, 3},
    {"QLinearSoftmax", false, 0, false, 1},
    {"QLinearSoftmax", true, 0, false, 3},
    {"QLinearAveragePool", false, 0, false, 1},
    {"QLinearAveragePool", true, 0, false, 3},
    {"QLinearGlobalAveragePool", false, 0, false, 1},
    {"QLinearGlobalAveragePool", true, 0, false, 3},
    {"QLinearReduceMean", false, 0, false, 1},
    {"QLinearReduceMean", true, 0, false, 3},
    {"QLinearConcat", true, 0, false, 0},
};

// Nodes whose result stands for the same numbers as what they read.
constexpr std::string_view kPassing[] = {
    "MaxPool",  "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Flatten",
    "Identity", "Slice",   "Gather",    "Split",   "Resize",    "Pad"};

std::string NameAt(const onnx::NodeProto& node, bool output, int position) {
  const int size = output ? node.output_size() : node.input_size();
  if (position >= size) return "";
  return output ? node.output(position) : node.input(position);
}

}  // namespace

std::map<std::string, QuantizationNames> QuantizationsOf(
    const GraphIndex& index) {
  std::map<std::string, QuantizationNames> all;
  for (const NodeRef& ref : index.nodes()) {
    if (ref.scope != 0) continue;
    for (const QuantizedPlace& place : kPlaces) {
      if (ref.node->op_type() != place.op) continue;
      const std::string value = NameAt(*ref.node, place.is_output, place.value);
      const std::string scale =
          NameAt(*ref.node, place.scale_is_output, place.scale);
      if (value.empty() || scale.empty()) continue;
      all.emplace(value, QuantizationNames{
                             scale, NameAt(*ref.node, place.scale_is_output,
                                           place.scale + 1)});
    }
  }
  for (const NodeRef& ref : index.nodes()) {
    const bool passes = std::find(std::begin(kPassing), std::end(kPassing),
                                  ref.node->op_type()) != std::end(kPassing);
    if (ref.scope != 0 || !passes || ref.node->input_size() == 0) continue;
    const auto found = all.find(ref.node->input(0));
    if (found == all.end()) continue;
    const QuantizationNames names = found->second;
    for (const std::string& output : ref.node->output()) {
      if (!output.empty()) all.emplace(output, names);
    }
  }
  return all;
}

Tensor Dequantize(const Tensor& tensor, const Quantization& quantization) {
  const uint64_t count = ElementCount(tensor.shape);
  const auto& scale = quantization.scale;
  // How many elements one after the other have the same scale.
  uint64_t inner = count;
  if (scale.size() != 1) {
    inner = 1;
    size_t axis = tensor.shape.size();
    while (axis-- > 0 &&
           static_cast<uint64_t>(tensor.shape[axis]) != scale.size()) {
      inner *= static_cast<uint64_t>(tensor.shape[axis]);
    }
    if (axis >= tensor.shape.size()) return tensor;
  }
  std::vector<double> numbers(count);
  ToDoubles(tensor, 0, count, numbers.data());
  std::vector<std::byte> bytes(count * sizeof(float));
  for (uint64_t i = 0; i < count; ++i) {
    const size_t at = inner == 0 ? 0 : (i / inner) % scale.size();
    const double zero =
        at < quantization.zero_point.size() ? quantization.zero_point[at] : 0;
    // As the operator does: one rounding, to float.
    const auto real =
        static_cast<float>(numbers[i] - zero) * static_cast<float>(scale[at]);
    std::memcpy(&bytes[i * sizeof(float)], &real, sizeof(float));
  }
  return MakeTensor(onnx::TensorProto::FLOAT, tensor.shape, std::move(bytes));
}

Tensor Quantize(const Tensor& tensor, const Quantization& quantization,
                int type) {
  const uint64_t count = ElementCount(tensor.shape);
  const IntegerRange range = RangeOf(type).value_or(IntegerRange{0, 255});
  const double zero =
      quantization.zero_point.empty() ? 0 : quantization.zero_point[0];
  std::vector<double> numbers(count);
  ToDoubles(tensor, 0, count, numbers.data());
  std::vector<std::byte> bytes(DataBytes(type, count));
  const size_t size = count == 0 ? 1 : bytes.size() / count;
  for (uint64_t i = 0; i < count; ++i) {
    const double code =
        std::nearbyint(numbers[i] / quantization.scale[0]) + zero;
    const auto integer = static_cast<int64_t>(std::clamp(
        code, static_cast<double>(range.min), static_cast<double>(range.max)));
    std::memcpy(&bytes[i * size], &integer, size);
  }
  return MakeTensor(type, tensor.shape, std::move(bytes));
}

}  // namespace onnx_expose
