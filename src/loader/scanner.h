#ifndef ONNX_EXPOSE_LOADER_SCANNER_H_
#define ONNX_EXPOSE_LOADER_SCANNER_H_

#include <string>
#include <vector>

#include "onnx_expose/skeleton.h"

namespace onnx_expose {

struct ScannedModel {
  std::string bytes;  // a serialised ModelProto with markers for payloads
  std::vector<Payload> payloads;
};

// Reads the wire format of a model and leaves the weights out (design 2.1).
// Everything is hostile: lengths, varints, nesting and field numbers are
// checked here, and a malformed file is Error(kInput) with the offset.
ScannedModel ScanModel(const InputFile& file);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_LOADER_SCANNER_H_
