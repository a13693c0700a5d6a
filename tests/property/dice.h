#ifndef ONNX_EXPOSE_TESTS_PROPERTY_DICE_H_
#define ONNX_EXPOSE_TESTS_PROPERTY_DICE_H_

#include <cstdint>
#include <random>

namespace onnx_expose::testing {

// Random numbers that are the same everywhere for the same seed (those of the
// standard library's distributions are not).
class Dice {
 public:
  explicit Dice(uint64_t seed) : engine_(seed) {}

  // 0 to `count` - 1.
  int Below(int count) {
    return static_cast<int>(engine_() % static_cast<uint64_t>(count));
  }
  bool Chance(int percent) { return Below(100) < percent; }

  template <typename List>
  const auto& Pick(const List& list) {
    return list[static_cast<size_t>(Below(static_cast<int>(list.size())))];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace onnx_expose::testing

#endif  // ONNX_EXPOSE_TESTS_PROPERTY_DICE_H_
