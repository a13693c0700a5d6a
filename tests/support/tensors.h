#ifndef ONNX_EXPOSE_TESTS_SUPPORT_TENSORS_H_
#define ONNX_EXPOSE_TESTS_SUPPORT_TENSORS_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "onnx_expose/tensor.h"
#include "tensor/byte_sink.h"
#include "tensor/file_bytes.h"

namespace onnx_expose::testing {

template <typename T>
Tensor TensorOf(int type, std::vector<int64_t> shape,
                const std::vector<T>& elements) {
  std::vector<std::byte> bytes(elements.size() * sizeof(T));
  if (!bytes.empty()) {
    std::memcpy(bytes.data(), elements.data(), bytes.size());
  }
  return MakeTensor(type, std::move(shape), std::move(bytes));
}

Tensor FloatsOf(const std::vector<float>& elements);
Tensor StringsOf(const std::vector<std::string>& strings);

Data DataOf(Tensor tensor);
Data SequenceOf(std::vector<Data> parts);
Data MapOf(Tensor keys, Tensor values);

// Whether both are the same in kind, type, shape and every byte.
bool Same(const Tensor& a, const Tensor& b);
bool Same(const Data& a, const Data& b);

// The text as the content of a file.
FileBytes BytesOf(std::string_view text);

class MemorySink : public ByteSink {
 public:
  using ByteSink::Write;
  void Write(std::string_view bytes) override { content += bytes; }
  std::string content;
};

}  // namespace onnx_expose::testing

#endif  // ONNX_EXPOSE_TESTS_SUPPORT_TENSORS_H_
