#include "report/reduced_tensor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tensor/numbers.h"

namespace onnx_expose {
namespace {

constexpr int64_t kSmallestSide = 12;

// The axis of the most elements left that may still be thinned out; -1: none.
int LongestOf(const std::vector<size_t>& axes, const Reduction& plan,
              int64_t smallest) {
  int longest = -1;
  for (const size_t axis : axes) {
    if (plan.dims[axis] <= smallest) continue;
    if (longest < 0 ||
        plan.dims[axis] > plan.dims[static_cast<size_t>(longest)]) {
      longest = static_cast<int>(axis);
    }
  }
  return longest;
}

void ThinOut(const std::vector<size_t>& axes, const std::vector<int64_t>& shape,
             int64_t smallest, uint64_t budget, Reduction& plan) {
  while (ElementCount(plan.dims) > budget) {
    const int longest = LongestOf(axes, plan, smallest);
    if (longest < 0) return;
    const auto axis = static_cast<size_t>(longest);
    // Steps of about 6 %: a tensor of 10^9 elements takes a few hundred.
    plan.steps[axis] += 1 + plan.steps[axis] / 16;
    plan.dims[axis] = (shape[axis] + plan.steps[axis] - 1) / plan.steps[axis];
  }
}

// Height and width alike, so that pictures keep their shape.
void ThinOutPixels(const ViewAxes& axes, const std::vector<int64_t>& shape,
                   uint64_t budget, Reduction& plan) {
  while (ElementCount(plan.dims) > budget) {
    if (LongestOf({axes.height, axes.width}, plan, kSmallestSide) < 0) return;
    const int64_t step = plan.steps[axes.width] + 1;
    for (const size_t axis : {axes.height, axes.width}) {
      plan.steps[axis] = step;
      plan.dims[axis] = (shape[axis] + step - 1) / step;
    }
  }
}

void CutOff(size_t axis, uint64_t budget, Reduction& plan) {
  const uint64_t all = ElementCount(plan.dims);
  if (all <= budget) return;
  const uint64_t others = all / static_cast<uint64_t>(plan.dims[axis]);
  plan.dims[axis] =
      static_cast<int64_t>(std::max<uint64_t>(1, budget / others));
}

// Calls visit(first, count, out) for runs of elements: `out` is where the first
// one's element is in the reduced tensor.
template <typename Visit>
void ForEachRow(const std::vector<int64_t>& shape, const Reduction& plan,
                const Visit& visit) {
  const size_t rank = shape.size();
  std::vector<uint64_t> strides(rank, 1);
  for (size_t i = rank; i-- > 1;) {
    strides[i - 1] = strides[i] * static_cast<uint64_t>(shape[i]);
  }
  const size_t outer = rank == 0 ? 0 : rank - 1;
  const uint64_t width =
      rank == 0 ? 1 : static_cast<uint64_t>(plan.dims[rank - 1]);
  const uint64_t rows = ElementCount(plan.dims) / std::max<uint64_t>(1, width);
  std::vector<int64_t> at(outer, 0);
  for (uint64_t row = 0; row < rows; ++row) {
    uint64_t first = 0;
    for (size_t i = 0; i < outer; ++i) {
      first += strides[i] * static_cast<uint64_t>(at[i] * plan.steps[i]);
    }
    visit(first, row * width);
    for (size_t i = outer; i-- > 0;) {
      if (++at[i] < plan.dims[i]) break;
      at[i] = 0;
    }
  }
}

ReducedTensor Quantised(const std::vector<double>& numbers,
                        const Reduction& plan, bool from_zero) {
  constexpr double kLevels = 252;  // codes 2 to 254
  ReducedTensor result{plan.dims, plan.steps, {}, 0, 0};
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double number : numbers) {
    if (!std::isfinite(number)) continue;
    low = std::min(low, number);
    high = std::max(high, number);
  }
  if (from_zero) low = std::min(0.0, low);
  if (low <= high) {
    result.offset = low;
    // Halves: the range of doubles can be wider than a double.
    result.scale = (high / 2 - low / 2) / (kLevels / 2);
  }
  result.codes.reserve(numbers.size());
  for (const double number : numbers) {
    double code = 0;
    if (std::isinf(number)) {
      code = number < 0 ? 1 : 255;
    } else if (!std::isnan(number)) {
      code = 2;
      if (result.scale > 0) {
        code += std::round(
            std::clamp((number - result.offset) / result.scale, 0.0, kLevels));
      }
    }
    result.codes += static_cast<char>(static_cast<unsigned char>(code));
  }
  return result;
}

double Difference(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  return std::abs(a - b);  // NaN if one is
}

// NaN is worse than any number.
double Worse(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nan("");
  return std::max(a, b);
}

}  // namespace

Reduction PlanReduction(const std::vector<int64_t>& shape, View view,
                        uint64_t budget) {
  Reduction plan{shape, std::vector<int64_t>(shape.size(), 1)};
  const size_t rank = shape.size();
  std::vector<size_t> all(rank);
  for (size_t i = 0; i < rank; ++i) all[i] = i;
  if (rank >= 3 && view != View::kLine) {
    const ViewAxes axes = AxesOf(view, rank);
    const auto is_batch = [&](size_t axis) {
      return axis != axes.channel && axis != axes.height && axis != axes.width;
    };
    for (size_t axis = 0; axis < rank; ++axis) {
      if (is_batch(axis)) CutOff(axis, budget, plan);
    }
    if (view == View::kHeat) {
      ThinOut({axes.height, axes.width}, shape, kSmallestSide, budget, plan);
    } else {
      ThinOutPixels(axes, shape, budget, plan);
    }
    CutOff(axes.channel, budget, plan);
  }
  ThinOut(all, shape, 1, budget, plan);
  return plan;
}

ReducedTensor Reduce(const Tensor& tensor, const Reduction& plan) {
  std::vector<double> numbers(ElementCount(plan.dims));
  const size_t rank = tensor.shape.size();
  const auto width =
      rank == 0 ? size_t{1} : static_cast<size_t>(plan.dims[rank - 1]);
  const auto step =
      rank == 0 ? uint64_t{1} : static_cast<uint64_t>(plan.steps[rank - 1]);
  ForEachRow(tensor.shape, plan, [&](uint64_t first, uint64_t out) {
    if (step == 1) {
      ToDoubles(tensor, first, width, &numbers[out]);
      return;
    }
    for (size_t i = 0; i < width; ++i) {
      ToDoubles(tensor, first + i * step, 1, &numbers[out + i]);
    }
  });
  return Quantised(numbers, plan, /*from_zero=*/false);
}

ReducedTensor ReduceDifference(const Tensor& a, const Tensor& b,
                               const Reduction& plan) {
  const std::vector<int64_t>& shape = a.shape;
  const size_t rank = shape.size();
  const size_t length = rank == 0 ? 1 : static_cast<size_t>(shape[rank - 1]);
  std::vector<double> numbers(ElementCount(plan.dims));
  std::vector<double> row_a(length), row_b(length);
  const Reduction every{shape, std::vector<int64_t>(rank, 1)};
  std::vector<int64_t> at(rank, 0);  // of the row, last axis unused
  ForEachRow(shape, every, [&](uint64_t first, uint64_t) {
    uint64_t out = 0;
    bool inside = true;
    for (size_t i = 0; i + 1 < rank; ++i) {
      const int64_t place = at[i] / plan.steps[i];
      inside &= place < plan.dims[i];
      out = out * static_cast<uint64_t>(plan.dims[i]) +
            static_cast<uint64_t>(place);
    }
    for (size_t i = rank; i-- > 1;) {
      if (++at[i - 1] < shape[i - 1]) break;
      at[i - 1] = 0;
    }
    if (!inside) return;
    ToDoubles(a, first, length, row_a.data());
    ToDoubles(b, first, length, row_b.data());
    const auto width =
        rank == 0 ? uint64_t{1} : static_cast<uint64_t>(plan.dims[rank - 1]);
    const auto step =
        rank == 0 ? size_t{1} : static_cast<size_t>(plan.steps[rank - 1]);
    for (size_t i = 0; i < length && i / step < width; ++i) {
      double& worst = numbers[out * width + i / step];
      worst = Worse(worst, Difference(row_a[i], row_b[i]));
    }
  });
  return Quantised(numbers, plan, /*from_zero=*/true);
}

}  // namespace onnx_expose
