#ifndef ONNX_EXPOSE_LOADER_PAYLOAD_RULES_H_
#define ONNX_EXPOSE_LOADER_PAYLOAD_RULES_H_

#include <cstdint>
#include <map>

#include "loader/wire_reader.h"

namespace onnx_expose {

// How the records of one field are left out of the skeleton.
struct ElidedField {
  uint32_t wires = 0;      // bit set of the wire types that hold its data
  bool last_only = false;  // a singular field: of several records the last
  int keep = 0;            // so many records at the front stay

  bool Takes(uint32_t wire) const { return (wires >> wire & 1) != 0; }
};
using ElidedFields = std::map<uint32_t, ElidedField>;

// The fields of the TensorProto between two offsets whose data is left out:
// those of 1 KiB and more. Lists of whole numbers, which may be shapes, axes
// or split sizes that inference needs, stay up to 64 KiB.
ElidedFields TensorPayloadFields(WireReader& reader, uint64_t begin,
                                 uint64_t end);

// The same for the number and string lists of an AttributeProto: tree
// ensembles keep hundreds of MB in them. The first records stay, because
// operators choose their output type by which list isn't empty, and lists
// whose length is an output's shape stay whole.
ElidedFields AttributePayloadFields(WireReader& reader, uint64_t begin,
                                    uint64_t end);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_LOADER_PAYLOAD_RULES_H_
