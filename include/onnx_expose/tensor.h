#ifndef ONNX_EXPOSE_TENSOR_H_
#define ONNX_EXPOSE_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace onnx_expose {

// A dense tensor in memory, row-major, little-endian.
struct Tensor {
  int type = 0;  // TensorProto.DataType: 1 = float, 7 = int64, ...
  std::vector<int64_t> shape;  // no dims: a scalar
  // The elements; those of 4 and 2 bits packed as ONNX packs them: the first
  // one in the lowest bits of a byte. Empty for strings.
  std::span<const std::byte> bytes;
  std::vector<std::string> strings;  // type string only
  // Keeps `bytes` alive, whoever they belong to.
  std::shared_ptr<const void> owner;
};

// A tensor that owns `bytes`.
Tensor MakeTensor(int type, std::vector<int64_t> shape,
                  std::vector<std::byte> bytes);

// The product of the dims; a scalar has 1 element.
uint64_t ElementCount(const std::vector<int64_t>& shape);

// How many bytes `count` elements of a type take; 0 for strings.
uint64_t DataBytes(int type, uint64_t count);

// What a value is when a model runs.
struct Data {
  enum class Kind {
    kTensor,    // `tensor`
    kSequence,  // `parts`, each a tensor or a map
    kMap,       // `parts`: a tensor of keys, a tensor of values; both 1-D
    kNone       // an optional that is empty
  };
  Kind kind = Kind::kTensor;
  Tensor tensor;
  std::vector<Data> parts;
  // kSequence: element type of its tensors, to tell what an empty one holds; 0
  // if that isn't known.
  int element_type = 0;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_H_
