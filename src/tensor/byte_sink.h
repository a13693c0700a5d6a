#ifndef ONNX_EXPOSE_TENSOR_BYTE_SINK_H_
#define ONNX_EXPOSE_TENSOR_BYTE_SINK_H_

#include <cstddef>
#include <span>
#include <string_view>

namespace onnx_expose {

// Where the bytes of a file go, in order. Write throws Error(kOutput).
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void Write(std::string_view bytes) = 0;

  void Write(std::span<const std::byte> bytes) {
    Write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_BYTE_SINK_H_
