#include "report/reduced_tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "report/view.h"
#include "tests/support/tensors.h"

namespace onnx_expose {
namespace {

using ::testing::ElementsAre;
using testing::TensorOf;

constexpr int kFloat = 1;

std::vector<int> Codes(const ReducedTensor& tensor) {
  std::vector<int> codes;
  for (const char c : tensor.codes) {
    codes.push_back(static_cast<unsigned char>(c));
  }
  return codes;
}

Reduction All(const std::vector<int64_t>& shape) {
  return PlanReduction(shape, View::kNchw, 1 << 20);
}

TEST(Reduce, FromLowestToHighest) {
  const Tensor tensor = TensorOf<float>(kFloat, {1, 3}, {-1, 0, 1});
  const ReducedTensor reduced = Reduce(tensor, All(tensor.shape));
  EXPECT_THAT(Codes(reduced), ElementsAre(2, 128, 254));
  EXPECT_DOUBLE_EQ(reduced.offset, -1);
  EXPECT_DOUBLE_EQ(reduced.offset + 252 * reduced.scale, 1);
}

TEST(Reduce, WhatIsNoNumberHasCodesOfItsOwn) {
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor tensor =
      TensorOf<float>(kFloat, {4}, {std::nanf(""), -inf, 5, inf});
  EXPECT_THAT(Codes(Reduce(tensor, All(tensor.shape))),
              ElementsAre(0, 1, 2, 255));
}

TEST(Reduce, TheWholeRangeOfDoubles) {
  const double most = std::numeric_limits<double>::max();
  const Tensor tensor = TensorOf<double>(11, {2}, {-most, most});
  const ReducedTensor reduced = Reduce(tensor, All(tensor.shape));
  EXPECT_TRUE(std::isfinite(reduced.scale));
  EXPECT_THAT(Codes(reduced), ElementsAre(2, 254));
}

TEST(Reduce, AScalar) {
  const Tensor tensor = TensorOf<float>(kFloat, {}, {7});
  const ReducedTensor reduced = Reduce(tensor, All(tensor.shape));
  EXPECT_THAT(Codes(reduced), ElementsAre(2));
  EXPECT_DOUBLE_EQ(reduced.offset, 7);
}

TEST(Reduce, PicksFromEachAxis) {
  std::vector<float> elements(64);
  for (size_t i = 0; i < 64; ++i) elements[i] = static_cast<float>(i);
  const Tensor tensor = TensorOf<float>(kFloat, {8, 8}, elements);
  const ReducedTensor reduced = Reduce(tensor, {{2, 2}, {4, 4}});
  EXPECT_DOUBLE_EQ(reduced.offset, 0);
  // Elements 0, 4, 32, 36.
  EXPECT_THAT(Codes(reduced), ElementsAre(2, 30, 226, 254));
}

TEST(PlanReduction, PixelsBeforeChannels) {
  const Reduction plan =
      PlanReduction({2, 64, 56, 56}, View::kNchw, 64 * 20 * 20);
  EXPECT_EQ(plan.dims[0], 1);
  EXPECT_EQ(plan.dims[1], 64);
  EXPECT_GE(plan.dims[2], 12);
  EXPECT_EQ(plan.dims[2], plan.dims[3]);
  EXPECT_LE(ElementCount(plan.dims), 64u * 20 * 20);
}

TEST(PlanReduction, ChannelsWhenPixelsAreFew) {
  const Reduction plan = PlanReduction({1, 4096, 7, 7}, View::kNchw, 490);
  EXPECT_THAT(plan.dims, ElementsAre(1, 10, 7, 7));
  const Reduction last = PlanReduction({1, 7, 7, 4096}, View::kNhwc, 490);
  EXPECT_THAT(last.dims, ElementsAre(1, 7, 7, 10));
}

TEST(PlanReduction, AlwaysWithinTheBudget) {
  const std::vector<std::vector<int64_t>> shapes = {
      {},           {1},          {1'000'000'000}, {3, 5},
      {100, 70000}, {9, 9, 9, 9}, {5, 4, 3, 2, 60}};
  for (const auto& shape : shapes) {
    for (const View view : {View::kLine, View::kHeat, View::kNchw}) {
      const Reduction plan = PlanReduction(shape, view, 100);
      EXPECT_LE(ElementCount(plan.dims), 100u);
      for (size_t i = 0; i < shape.size(); ++i) {
        EXPECT_LE((plan.dims[i] - 1) * plan.steps[i], shape[i] - 1);
        EXPECT_GE(plan.dims[i], 1);
      }
    }
  }
}

TEST(ReduceDifference, TheGreatestIsNeverLost) {
  std::vector<float> a(10'000, 1), b(10'000, 1);
  a[7'777] = 1.5;
  const Tensor x = TensorOf<float>(kFloat, {100, 100}, a);
  const Tensor y = TensorOf<float>(kFloat, {100, 100}, b);
  const ReducedTensor reduced =
      ReduceDifference(x, y, PlanReduction(x.shape, View::kHeat, 25));
  EXPECT_DOUBLE_EQ(reduced.offset + 252 * reduced.scale, 0.5);
  EXPECT_EQ(std::count(reduced.codes.begin(), reduced.codes.end(),
                       static_cast<char>(254)),
            1);
}

TEST(ReduceDifference, NanAndInfinity) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::nanf("");
  const Tensor x = TensorOf<float>(kFloat, {5}, {nan, nan, inf, inf, 1});
  const Tensor y = TensorOf<float>(kFloat, {5}, {nan, 1, inf, 1, 1});
  EXPECT_THAT(Codes(ReduceDifference(x, y, All(x.shape))),
              ElementsAre(2, 0, 2, 255, 2));
}

TEST(GuessView, ByOpAndShape) {
  EXPECT_EQ(GuessView("Conv", {1, 8, 8, 3}), View::kNchw);
  EXPECT_EQ(GuessView("Transpose", {1, 128, 128, 3}), View::kNhwc);
  EXPECT_EQ(GuessView("Relu", {1, 24, 64, 64}), View::kNchw);
  EXPECT_EQ(GuessView("Softmax", {1, 12, 77, 77}), View::kNchw);
  EXPECT_EQ(GuessView("Add", {1, 77, 512}), View::kHeat);
  EXPECT_EQ(GuessView("Gemm", {1, 1000}), View::kLine);
  EXPECT_EQ(GuessView("ReduceMean", {1, 1}), View::kNumbers);
  EXPECT_EQ(GuessView("Shape", {0}), View::kNumbers);
}

}  // namespace
}  // namespace onnx_expose
