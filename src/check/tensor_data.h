#ifndef ONNX_EXPOSE_CHECK_TENSOR_DATA_H_
#define ONNX_EXPOSE_CHECK_TENSOR_DATA_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onnx_expose/skeleton.h"

namespace onnx_expose {

// The data of a tensor in one of its fields, part of which may be left out of
// the skeleton: how many entries (bytes for raw_data, numbers or strings for
// the others). Numbers stored as varints can't be counted without reading
// them, so that of those only the limits are known.
struct StoredField {
  int number = 0;  // of the field in TensorProto
  const char* name = "";
  uint64_t least = 0;
  uint64_t most = 0;
};

// The fields of the tensor that hold data.
std::vector<StoredField> StoredFields(const Skeleton& model,
                                      const onnx::TensorProto& tensor);

// Elements by the dims; nothing when one is negative or they overflow.
std::optional<uint64_t> ElementCount(const onnx::TensorProto& tensor);

// The field other than raw_data that a tensor of this element type uses, and
// how many entries `count` elements take there.
int TypedField(int element_type);
const char* TypedFieldName(int element_type);
uint64_t TypedEntries(int element_type, uint64_t count);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_CHECK_TENSOR_DATA_H_
