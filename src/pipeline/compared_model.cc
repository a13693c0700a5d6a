#include "pipeline/compared_model.h"

#include "onnx_expose/compare_models.h"
#include "onnx_expose/loader.h"
#include "tensor/format_error.h"
#include "tensor/numbers.h"
#include "tensor/tensor_proto.h"

namespace onnx_expose {
namespace {

using onnx::TensorProto;

bool IsQuantizedType(int type) {
  switch (type) {
    case TensorProto::INT8:
    case TensorProto::UINT8:
    case TensorProto::INT16:
    case TensorProto::UINT16:
    case TensorProto::INT4:
    case TensorProto::UINT4:
      return true;
    default:
      return false;
  }
}

class DequantizedSource : public ValueSource {
 public:
  DequantizedSource(const ValueSource& source, const std::string& model)
      : source_(source), model_(model, source), entries_(source.entries()) {
    // Types as they are read.
    for (Entry& entry : entries_) {
      if (model_.QuantizationOf(entry.name)) entry.type.clear();
    }
  }

  const std::string& path() const override { return source_.path(); }
  const std::vector<Entry>& entries() const override { return entries_; }
  std::vector<const Manifest*> manifests() const override {
    return source_.manifests();
  }
  bool HasData(size_t entry) const override { return source_.HasData(entry); }
  const Statistics* StatisticsOf(size_t entry) const override {
    return source_.StatisticsOf(entry);
  }
  Data Read(size_t entry) const override {
    Data data = source_.Read(entry);
    if (data.kind != Data::Kind::kTensor ||
        !IsQuantizedType(data.tensor.type)) {
      return data;
    }
    const auto quantization = model_.QuantizationOf(entries_[entry].name);
    if (quantization) data.tensor = Dequantize(data.tensor, *quantization);
    return data;
  }

 private:
  const ValueSource& source_;
  ComparedModel model_;
  std::vector<Entry> entries_;
};

}  // namespace

ComparedModel::ComparedModel(const std::string& model,
                             const ValueSource& source)
    : model_(LoadModel(model)),
      index_(model_.proto),
      source_(source),
      quantizations_(QuantizationsOf(index_)) {
  const auto& entries = source.entries();
  for (size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].scope.empty()) entries_.emplace(entries[i].name, i);
  }
}

std::optional<size_t> ComparedModel::Find(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return {};
  return found->second;
}

std::optional<std::vector<double>> ComparedModel::Numbers(
    const std::string& name) const {
  Tensor tensor;
  const auto& initializers = model_.proto.graph().initializer();
  const auto found =
      std::find_if(initializers.begin(), initializers.end(),
                   [&](const auto& each) { return each.name() == name; });
  if (found != initializers.end()) {
    try {
      TensorProto copy = *found;
      tensor = FromTensorProto(copy);
    } catch (const FormatError&) {
      return {};  // too large for the skeleton, or in another file
    }
  } else if (const auto entry = Find(name)) {
    tensor = source_.Read(*entry).tensor;
  } else {
    return {};
  }
  std::vector<double> numbers(ElementCount(tensor.shape));
  if (!IsNumber(tensor.type)) return {};
  ToDoubles(tensor, 0, numbers.size(), numbers.data());
  return numbers;
}

std::optional<Quantization> ComparedModel::QuantizationOf(
    const std::string& name) const {
  const auto found = quantizations_.find(name);
  if (found == quantizations_.end()) return {};
  auto scale = Numbers(found->second.scale);
  if (!scale || scale->empty()) return {};
  Quantization quantization{std::move(*scale), {}};
  if (!found->second.zero_point.empty()) {
    auto zero = Numbers(found->second.zero_point);
    if (!zero) return {};
    quantization.zero_point = std::move(*zero);
  }
  return quantization;
}

std::unique_ptr<ValueSource> Dequantized(const ValueSource& source,
                                         const std::string& model) {
  return std::make_unique<DequantizedSource>(source, model);
}

}  // namespace onnx_expose
