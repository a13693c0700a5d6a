#include "tests/support/tensors.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "onnx_expose/element_types.h"

namespace onnx_expose::testing {

Tensor FloatsOf(const std::vector<float>& elements) {
  return TensorOf(ElementType("float"), {static_cast<int64_t>(elements.size())},
                  elements);
}

Tensor StringsOf(const std::vector<std::string>& strings) {
  Tensor tensor;
  tensor.type = ElementType("string");
  tensor.shape = {static_cast<int64_t>(strings.size())};
  tensor.strings = strings;
  return tensor;
}

Data DataOf(Tensor tensor) {
  Data data;
  data.tensor = std::move(tensor);
  return data;
}

Data SequenceOf(std::vector<Data> parts) {
  Data data;
  data.kind = Data::Kind::kSequence;
  data.parts = std::move(parts);
  if (!data.parts.empty()) data.element_type = data.parts[0].tensor.type;
  return data;
}

Data MapOf(Tensor keys, Tensor values) {
  Data data;
  data.kind = Data::Kind::kMap;
  data.parts = {DataOf(std::move(keys)), DataOf(std::move(values))};
  return data;
}

bool Same(const Tensor& a, const Tensor& b) {
  return a.type == b.type && a.shape == b.shape && a.strings == b.strings &&
         std::equal(a.bytes.begin(), a.bytes.end(), b.bytes.begin(),
                    b.bytes.end());
}

bool Same(const Data& a, const Data& b) {
  return a.kind == b.kind && Same(a.tensor, b.tensor) &&
         a.element_type == b.element_type &&
         std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(),
                    b.parts.end(), [](const Data& one, const Data& other) {
                      return Same(one, other);
                    });
}

FileBytes BytesOf(std::string_view text) {
  auto owner = std::make_shared<const std::string>(text);
  return {std::as_bytes(std::span(*owner)), owner};
}

}  // namespace onnx_expose::testing
