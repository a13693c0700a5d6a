#ifndef ONNX_EXPOSE_TENSOR_NPY_H_
#define ONNX_EXPOSE_TENSOR_NPY_H_

#include <string>

#include "onnx_expose/tensor.h"
#include "tensor/byte_sink.h"
#include "tensor/file_bytes.h"

namespace onnx_expose {

// Whether an npy file can hold the tensor as it is: not with more than 64
// dims, and no strings that numpy's '<U' would change (a final NUL, bytes that
// aren't UTF-8) or blow up (each takes as much room as the longest).
bool FitsNpy(const Tensor& tensor);

// numpy's name of what elements of the type are in an npy file: "<f4", "|u1" of
// float8. Empty for strings, whose length is a part of it.
std::string NpyDescr(int type);

// The content of an npy file, format 1.0 (NEP 1). Types that numpy doesn't
// have become integers, those of less than 8 bits one byte an element.
void WriteNpy(const Tensor& tensor, ByteSink& sink);

// ReadNpy of a file's content; the tensor shares it where it can. Throws
// FormatError.
Tensor ParseNpy(const FileBytes& file);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_NPY_H_
