#ifndef ONNX_EXPOSE_TENSOR_NPY_HEADER_H_
#define ONNX_EXPOSE_TENSOR_NPY_HEADER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace onnx_expose {

// numpy's own limit.
constexpr size_t kMostNpyDims = 64;

// What stands before the data of an npy file.
struct NpyHeader {
  std::string descr;  // "<f4"
  bool fortran_order = false;
  std::vector<int64_t> shape;
  size_t size = 0;  // where the data begin
};

// Throws FormatError.
NpyHeader ParseNpyHeader(std::span<const std::byte> file);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_NPY_HEADER_H_
