#ifndef ONNX_EXPOSE_SUPPORT_NATURAL_ORDER_H_
#define ONNX_EXPOSE_SUPPORT_NATURAL_ORDER_H_

#include <string_view>

namespace onnx_expose {

// Numbers within the texts count as numbers: "set_2" before "set_10". A total
// order.
bool NaturallyLess(std::string_view a, std::string_view b);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SUPPORT_NATURAL_ORDER_H_
