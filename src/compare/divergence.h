#ifndef ONNX_EXPOSE_COMPARE_DIVERGENCE_H_
#define ONNX_EXPOSE_COMPARE_DIVERGENCE_H_

#include <vector>

#include "compare/pairing.h"
#include "onnx_expose/compare.h"

namespace onnx_expose {

// Whether the verdict is a difference of the two values.
bool IsDifference(Verdict verdict);

// Positions in `values` of those that differ although nothing that they were
// computed from does; `pairs` are their entries. What isn't compared, or is
// close without being the same, is looked through.
std::vector<size_t> FirstDivergence(const ValueSource& a, const ValueSource& b,
                                    const std::vector<Pairing>& pairs,
                                    const std::vector<ComparedValue>& values);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_DIVERGENCE_H_
