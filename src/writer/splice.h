#ifndef ONNX_EXPOSE_WRITER_SPLICE_H_
#define ONNX_EXPOSE_WRITER_SPLICE_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "onnx_expose/skeleton.h"

namespace onnx_expose {

// A model file as a list of pieces: bytes, and spans of the input file.
struct SplicedModel {
  struct Piece {
    std::string_view bytes;
    const Payload* payload = nullptr;  // instead of bytes

    uint64_t size() const {
      return payload != nullptr ? payload->size : bytes.size();
    }
  };

  std::string serialized;           // what most pieces point into
  std::deque<std::string> lengths;  // changed length prefixes
  std::vector<Piece> pieces;
  uint64_t size = 0;
};

// Serialises the skeleton and puts the payloads where their markers are: each
// at the place of its field number among the known fields of its message, with
// the length prefixes around it corrected. Error(kOutput) if protobuf can't
// serialise the skeleton. Keeps pointers into `model`.
SplicedModel Splice(const Skeleton& model);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_WRITER_SPLICE_H_
