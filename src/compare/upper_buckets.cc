#include "compare/upper_buckets.h"

#include <cstring>

namespace onnx_expose {
namespace {

// Bytes of a number, which lie in the order of x86-64 and ARM.
constexpr size_t kQuarter = 6;

size_t BucketOf(const double* number) {
  uint16_t bits = 0;
  std::memcpy(&bits, reinterpret_cast<const char*>(number) + kQuarter,
              sizeof(bits));
  return bits;
}

}  // namespace

void CountUpper(const double* numbers, size_t size, uint32_t* tables) {
  uint32_t* const second = tables + kUpperBuckets;
  uint32_t* const third = second + kUpperBuckets;
  uint32_t* const fourth = third + kUpperBuckets;
  size_t i = 0;
  for (; i + kUpperTables <= size; i += kUpperTables) {
    ++tables[BucketOf(numbers + i)];
    ++second[BucketOf(numbers + i + 1)];
    ++third[BucketOf(numbers + i + 2)];
    ++fourth[BucketOf(numbers + i + 3)];
  }
  for (; i < size; ++i) ++tables[BucketOf(numbers + i)];
}

}  // namespace onnx_expose
