#ifndef ONNX_EXPOSE_RUNTIME_RANDOM_NUMBERS_H_
#define ONNX_EXPOSE_RUNTIME_RANDOM_NUMBERS_H_

#include <cstdint>

namespace onnx_expose {

// Random numbers that are the same wherever they are drawn: the standard
// library leaves its distributions to each implementation, and the last bit of
// log and cos too. Generator: SplitMix64 (Steele, Lea, Flood 2014).
class RandomNumbers {
 public:
  explicit RandomNumbers(uint64_t seed) : state_(seed) {}

  uint64_t Next();
  // 0 <= x < count; every number as likely as any other. `count` > 0.
  uint64_t Below(uint64_t count);
  // 0 <= x < 1, a multiple of 2^-53.
  double Unit();
  // Mean 0, standard deviation 1: Marsaglia's polar form of Box and Muller.
  double Normal();

 private:
  uint64_t state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_RANDOM_NUMBERS_H_
