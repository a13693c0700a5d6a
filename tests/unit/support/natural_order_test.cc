#include "support/natural_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace onnx_expose {
namespace {

TEST(NaturallyLess, NumbersCountAsNumbers) {
  std::vector<std::string> names = {"set_10",
                                    "b",
                                    "set_2",
                                    "set_02",
                                    "set",
                                    "set_2a",
                                    "a9z1",
                                    "a9z01",
                                    "a10z0",
                                    "",
                                    "99999999999999999999",
                                    "100000000000000000000"};
  std::sort(names.begin(), names.end(), NaturallyLess);
  EXPECT_THAT(names, ::testing::ElementsAre(
                         "", "99999999999999999999", "100000000000000000000",
                         "a9z01", "a9z1", "a10z0", "b", "set", "set_02",
                         "set_2", "set_2a", "set_10"));
}

TEST(NaturallyLess, IsAnOrder) {
  const std::vector<std::string> names = {"1", "01", "001", "1a", "01a", "a1"};
  for (const auto& a : names) {
    EXPECT_FALSE(NaturallyLess(a, a)) << a;
    for (const auto& b : names) {
      if (a != b) {
        EXPECT_NE(NaturallyLess(a, b), NaturallyLess(b, a)) << a << " " << b;
      }
    }
  }
}

}  // namespace
}  // namespace onnx_expose
