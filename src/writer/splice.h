#ifndef ONNX_EXPOSE_WRITER_SPLICE_H_
#define ONNX_EXPOSE_WRITER_SPLICE_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "onnx_expose/skeleton.h"
#include "writer/data_files.h"

namespace onnx_expose {

// A model file as a list of pieces: bytes, and spans of files.
struct SplicedModel {
  struct Piece {
    std::string_view bytes;
    FileSpan span;  // if there are no bytes
  };

  std::string serialized;         // what most pieces point into
  std::deque<std::string> heads;  // new tags and lengths
  std::vector<Piece> pieces;
  uint64_t size = 0;
};

// Serialises the skeleton and puts the payloads where their markers are: each
// at the place of its field number among the known fields of its message, with
// the length prefixes around it corrected. A marker beyond the payloads of
// `model` stands for raw_data whose content is that of `inlined`.
// Error(kOutput) if protobuf can't serialise the skeleton.
SplicedModel Splice(const Skeleton& model,
                    const std::vector<FileSpan>& inlined = {});

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_WRITER_SPLICE_H_
