#ifndef ONNX_EXPOSE_TENSOR_ELEMENT_WRITER_H_
#define ONNX_EXPOSE_TENSOR_ELEMENT_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "onnx_expose/element_types.h"
#include "tensor/element_bits.h"
#include "tensor/packing.h"

namespace onnx_expose {

// Makes the bytes of a tensor out of the bits of its elements; a complex number
// is two elements.
//
//   ElementWriter writer(type, count);
//   for (uint64_t i = 0; i < count; ++i) writer.Put(i, FloatBits(type, x[i]));
//   MakeTensor(type, shape, writer.Take());
class ElementWriter {
 public:
  ElementWriter(int type, uint64_t count)
      : type_(type),
        is_packed_(IsPacked(type)),
        size_(is_packed_
                  ? 1
                  : static_cast<size_t>(ElementBits(ComponentType(type)) / 8)),
        bytes_(count * size_) {}

  void Put(uint64_t index, uint64_t bits) {
    std::memcpy(bytes_.data() + index * size_, &bits, size_);
  }

  std::vector<std::byte> Take() {
    return is_packed_ ? Pack(type_, bytes_) : std::move(bytes_);
  }

 private:
  int type_;
  bool is_packed_;
  size_t size_;  // of an element, or of one that is yet to be packed
  std::vector<std::byte> bytes_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_ELEMENT_WRITER_H_
