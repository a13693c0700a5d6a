#ifndef ONNX_EXPOSE_REPORT_COLOURS_H_
#define ONNX_EXPOSE_REPORT_COLOURS_H_

#include <array>
#include <cstdint>

#include "report/reduced_tensor.h"

namespace onnx_expose {

struct Colour {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;
};

// A colour for each code of a reduced tensor: viridis from `low` to `high`,
// magenta for NaN, black and white for the infinities; as src/report/page has
// them.
struct Range {
  double low = 0;
  double high = 0;
};
std::array<Colour, 256> ColoursOfCodes(const ReducedTensor& tensor,
                                       Range range);

// Of the numbers that are there; 0 to 0 if there are none.
Range RangeOf(const ReducedTensor& tensor);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_COLOURS_H_
