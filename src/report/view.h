#ifndef ONNX_EXPOSE_REPORT_VIEW_H_
#define ONNX_EXPOSE_REPORT_VIEW_H_

#include <cstdint>
#include <string>
#include <vector>

namespace onnx_expose {

// How a tensor is best looked at.
enum class View {
  kNumbers,  // one element, or none
  kLine,     // one dim that isn't 1
  kHeat,     // rows and columns: the last two dims
  kNchw,     // pictures, one a channel: the last two dims are pixels
  kNhwc      // the last dim is the channel
};
const char* ViewName(View view);  // "numbers", "line", "heat", "nchw", "nhwc"

// A guess from the op that made the value and its shape: Conv and its kin have
// the channels before the pixels; of others, two dims of one size that stand
// side by side are taken for height and width.
View GuessView(const std::string& op_type, const std::vector<int64_t>& shape);

// Axes of a tensor of three dims or more: which are pixels (height, width) and
// which is the channel; those before are the batch. Of four dims or fewer with
// kHeat the channel is the axis before the rows.
struct ViewAxes {
  size_t channel = 0;
  size_t height = 0;
  size_t width = 0;
};
ViewAxes AxesOf(View view, size_t rank);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_VIEW_H_
