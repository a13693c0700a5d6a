#ifndef ONNX_EXPOSE_TENSOR_DATA_TEXT_H_
#define ONNX_EXPOSE_TENSOR_DATA_TEXT_H_

#include <string>
#include <string_view>

#include "onnx_expose/tensor.h"

namespace onnx_expose {

// The type of data as types are written: "float[2,3]", "seq(float)",
// "map(string,float)". `declared`, which may be empty, tells what the data
// can't: what an empty sequence or optional would hold.
std::string DataText(const Data& data, const std::string& declared);

// The element type at a place in such a text: "float" of "seq(float[2])" at 4.
// 0 if there is none.
int ElementAt(std::string_view text, size_t at);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_DATA_TEXT_H_
