#ifndef ONNX_EXPOSE_TENSOR_FILES_H_
#define ONNX_EXPOSE_TENSOR_FILES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "onnx_expose/tensor.h"

namespace onnx_expose {

// Files that tensors lie in, by ours and by other tools. All of them throw
// Error(kInput) that says what is wrong where; lengths, counts and shapes in a
// file are never trusted.

// numpy's .npy, versions 1 to 3: numbers of either byte order (converted),
// bool, complex, 'U' and 'S' strings; C and Fortran order (turned to C).
// Objects (pickles) are refused with the reason. Files are mapped into memory,
// not read, where their order and byte order allow it.
Tensor ReadNpy(const std::string& path);

// An .npz. Its directory is read once, however many members are; what isn't
// compressed is mapped. Several threads may read.
class NpzFile {
 public:
  explicit NpzFile(const std::string& path);
  ~NpzFile();
  NpzFile(NpzFile&&) noexcept;

  // By name without ".npy", in the file's order.
  std::vector<std::string> Members() const;
  Tensor Read(const std::string& member) const;
  // How many bytes of the file a member is; no limit: it takes memory to read.
  uint64_t BytesOf(const std::string& member) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

// A serialised TensorProto, SequenceProto, OptionalProto or MapProto, as in
// test_data_set_N/input_0.pb. `kind` says which is meant, for the bytes don't:
// a TypeText such as "float[2]", "seq(float)", "optional(seq(int64))"; empty:
// try a tensor, then a sequence. `name`, if not null, gets the name inside.
Data ReadPb(const std::string& path, const std::string& kind,
            std::string* name);

// The bytes of a tensor and nothing else.
Tensor ReadRaw(const std::string& path, int type,
               const std::vector<int64_t>& shape);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_FILES_H_
