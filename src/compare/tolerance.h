#ifndef ONNX_EXPOSE_COMPARE_TOLERANCE_H_
#define ONNX_EXPOSE_COMPARE_TOLERANCE_H_

#include <re2/re2.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "onnx_expose/compare.h"

namespace onnx_expose {

// What CompareOptions::tolerances says of a name and element types.
class Tolerances {
 public:
  // Throws Error(kUsage): a pattern that is none.
  explicit Tolerances(const std::vector<ToleranceRule>& rules);

  // Of two types the coarser one's.
  Tolerance For(const std::string& name, int type_a, int type_b) const;

 private:
  std::vector<std::pair<ToleranceRule, std::unique_ptr<re2::RE2>>> rules_;
};

// An expression that is searched in names; names are bytes where it isn't
// UTF-8. Throws Error(kUsage) that names `flag`.
std::unique_ptr<re2::RE2> Expression(const std::string& flag,
                                     const std::string& pattern);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_TOLERANCE_H_
