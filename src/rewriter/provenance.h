#ifndef ONNX_EXPOSE_REWRITER_PROVENANCE_H_
#define ONNX_EXPOSE_REWRITER_PROVENANCE_H_

#include <onnx/onnx_pb.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace onnx_expose {

// Every doc_string we write starts like this; strip goes by it.
inline constexpr std::string_view kMark = "onnx-expose: ";

bool IsMarked(std::string_view doc_string);

// What must be put back to get the original again, beyond taking away what is
// marked. Kept in the model as one metadata_props entry, key "onnx_expose",
// value JSON; messages as base64 of their bytes. All positions are those in the
// first original, whatever has been exposed since.
struct Provenance {
  int outputs = 0;     // how many graph outputs the original has
  int nodes = 0;       // how many nodes its graph has
  int value_info = 0;  // how many entries of value_info

  // By position in the original list: the entries as they were.
  std::map<int, std::string> inputs_changed;
  std::map<int, std::string> outputs_changed;
  std::map<int, std::string> value_info_changed;
  std::map<int, std::string> value_info_removed;
  // By node: its doc_string as it was, if it had one.
  std::map<int, std::optional<std::string>> node_docs;
};

// The record in the model; none if the key isn't there. Throws
// Error(kRefused) if its value isn't one of ours.
std::optional<Provenance> ReadProvenance(const onnx::ModelProto& model);

// The record in the model, or what a first one starts from.
Provenance StartProvenance(const onnx::ModelProto& model);

void WriteProvenance(const Provenance& record, onnx::ModelProto& model);
void RemoveProvenance(onnx::ModelProto& model);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_PROVENANCE_H_
