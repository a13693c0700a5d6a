#ifndef ONNX_EXPOSE_TENSOR_PB_H_
#define ONNX_EXPOSE_TENSOR_PB_H_

#include <cstddef>
#include <span>
#include <string>

#include "onnx_expose/tensor.h"
#include "tensor/byte_sink.h"

namespace onnx_expose {

// TensorProto, SequenceProto, MapProto or OptionalProto, as ONNX's test data
// has them. `name` is what the value is called inside. Throws Error(kOutput)
// if that would be more than 2 GiB, which nobody could read.
void WritePb(const Data& data, const std::string& name, ByteSink& sink);

// ReadPb of a file's content. Throws FormatError.
Data ParsePb(std::span<const std::byte> bytes, const std::string& kind,
             std::string* name);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_PB_H_
