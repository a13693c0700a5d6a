#ifndef ONNX_EXPOSE_COMPARE_UPPER_BUCKETS_H_
#define ONNX_EXPOSE_COMPARE_UPPER_BUCKETS_H_

#include <cstddef>
#include <cstdint>

namespace onnx_expose {

// Numbers >= 0 by the upper bits of a double, which are in the numbers' order:
// the sign, the exponent and 4 bits of the mantissa.
constexpr size_t kUpperBuckets = size_t{1} << 15;
// A number goes to one of several tables, so that the same bucket twice in a
// row doesn't wait for itself.
constexpr size_t kUpperTables = 4;

// tables[table * kUpperBuckets + bucket]: adds how many there are.
void CountUpper(const double* numbers, size_t size, uint32_t* tables);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_UPPER_BUCKETS_H_
