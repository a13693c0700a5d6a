#ifndef ONNX_EXPOSE_SELECTOR_MARKS_H_
#define ONNX_EXPOSE_SELECTOR_MARKS_H_

#include <cstddef>
#include <vector>

namespace onnx_expose {

// A set of small numbers: indices of values, nodes or scopes.
class Marks {
 public:
  explicit Marks(size_t size) : marks_(size, 0) {}

  bool Has(int index) const { return marks_[static_cast<size_t>(index)] != 0; }

  // Whether it wasn't there before.
  bool Add(int index) {
    char& mark = marks_[static_cast<size_t>(index)];
    const bool added = mark == 0;
    mark = 1;
    return added;
  }

 private:
  std::vector<char> marks_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SELECTOR_MARKS_H_
