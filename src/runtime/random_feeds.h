#ifndef ONNX_EXPOSE_RUNTIME_RANDOM_FEEDS_H_
#define ONNX_EXPOSE_RUNTIME_RANDOM_FEEDS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "onnx_expose/feeds.h"
#include "runtime/random_rules.h"

namespace onnx_expose {

// The seed of one input's numbers.
uint64_t FeedSeed(uint64_t seed, std::string_view set, std::string_view input);

// A tensor of this shape, or a sequence of two. The numbers are the same on
// every system: integer arithmetic, and floating-point operations that IEEE 754
// defines to the last bit. Throws Error(kInput): a kind of input that can't be
// made up, more elements than there is memory.
Data RandomData(const InputInfo& input, const std::vector<int64_t>& shape,
                const RandomRule& rule, uint64_t seed);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_RANDOM_FEEDS_H_
