#ifndef ONNX_EXPOSE_REPORT_SLICE_H_
#define ONNX_EXPOSE_REPORT_SLICE_H_

#include <optional>
#include <string_view>

#include "onnx_expose/tensor.h"

namespace onnx_expose {

// The part of a tensor that numpy's basic slicing takes: "0,3,10:20" is
// tensor[0, 3, 10:20]; axes that aren't named are whole, positions may be
// negative, steps there are none. Nothing if the text is no slice of this
// tensor, or the tensor holds strings. Elements of less than a byte come back
// as uint8 or int8.
std::optional<Tensor> Slice(const Tensor& tensor, std::string_view text);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_SLICE_H_
