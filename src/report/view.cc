#include "report/view.h"

#include <algorithm>

#include "onnx_expose/tensor.h"

namespace onnx_expose {
namespace {

bool HasChannelsFirst(const std::string& op_type) {
  static const std::vector<std::string> kOps = {"AveragePool",
                                                "BatchNormalization",
                                                "Conv",
                                                "ConvInteger",
                                                "ConvTranspose",
                                                "FusedConv",
                                                "GlobalAveragePool",
                                                "GlobalMaxPool",
                                                "GroupNormalization",
                                                "MaxPool",
                                                "QLinearConv",
                                                "InstanceNormalization",
                                                "QLinearAveragePool",
                                                "LRN",
                                                "RoiAlign",
                                                "Upsample",
                                                "DepthToSpace",
                                                "SpaceToDepth"};
  return std::find(kOps.begin(), kOps.end(), op_type) != kOps.end();
}

}  // namespace

const char* ViewName(View view) {
  static constexpr const char* kNames[] = {"numbers", "line", "heat", "nchw",
                                           "nhwc"};
  return kNames[static_cast<size_t>(view)];
}

View GuessView(const std::string& op_type, const std::vector<int64_t>& shape) {
  if (ElementCount(shape) <= 1) return View::kNumbers;
  const auto wide = std::count_if(shape.begin(), shape.end(),
                                  [](int64_t dim) { return dim != 1; });
  if (wide == 1) return View::kLine;
  if (op_type.starts_with("Nhwc")) return View::kNhwc;
  const size_t rank = shape.size();
  if (rank < 4) return View::kHeat;
  if (HasChannelsFirst(op_type)) return View::kNchw;
  const bool square_before = shape[rank - 3] == shape[rank - 2];
  const bool square_behind = shape[rank - 2] == shape[rank - 1];
  const bool few_behind = shape[rank - 1] <= 4 && shape[rank - 3] > 4;
  return !square_behind && (square_before || few_behind) ? View::kNhwc
                                                         : View::kNchw;
}

ViewAxes AxesOf(View view, size_t rank) {
  if (view == View::kNhwc) return {rank - 1, rank - 3, rank - 2};
  return {rank - 3, rank - 2, rank - 1};
}

}  // namespace onnx_expose
