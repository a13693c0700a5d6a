#ifndef ONNX_EXPOSE_REWRITER_PROVENANCE_H_
#define ONNX_EXPOSE_REWRITER_PROVENANCE_H_

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace onnx_expose {

// What must be put back to get the original again, beyond taking away what is
// marked. Kept in the model as one metadata_props entry, key "onnx_expose",
// value JSON; messages as base64 of their bytes. All positions are those in the
// first original, whatever has been exposed since.
struct Provenance {
  // A node whose bodies got more outputs, as it was.
  struct Node {
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::map<std::string, std::vector<int64_t>> int_lists;  // by attribute
  };
  // From the root (-1: main graph, else a function): node, attribute and graph
  // number, down to the node itself.
  using NodePath = std::vector<int>;

  std::vector<std::string> outputs;  // names of the original's
  int nodes = 0;                     // how many nodes its graph has
  int value_info = 0;                // how many entries of value_info

  // By position in the original list: the entries as they were.
  std::map<int, std::string> inputs_changed;
  std::map<int, std::string> outputs_changed;
  std::map<int, std::string> value_info_changed;
  std::map<int, std::string> value_info_removed;
  // By node: its doc_string as it was, if it had one.
  std::map<int, std::optional<std::string>> node_docs;
  std::map<NodePath, Node> nodes_changed;
  // By function: how many outputs it had.
  std::map<int, int> function_outputs;
  // Values of functions ("domain::F/value") and Scans ("scan/body/value") that
  // copies of the calls and Loops beside the Scans give out.
  std::set<std::string> inlined;
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
