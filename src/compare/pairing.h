#ifndef ONNX_EXPOSE_COMPARE_PAIRING_H_
#define ONNX_EXPOSE_COMPARE_PAIRING_H_

#include <optional>
#include <string>
#include <vector>

#include "onnx_expose/compare.h"

namespace onnx_expose {

// Entries of two sources that belong together; nothing: on the other side only.
struct Pairing {
  std::optional<size_t> a;
  std::optional<size_t> b;
};

// In the order of A, what only B has where it stands in B's order. Never by
// guess: equal names, or those that `options` makes of them. An entry may
// belong to several of the other side: mapped names, those of the quantiser.
// Throws Error(kUsage): a pattern that is none.
std::vector<Pairing> PairEntries(const ValueSource& a, const ValueSource& b,
                                 const CompareOptions& options,
                                 Warnings& warnings);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_PAIRING_H_
