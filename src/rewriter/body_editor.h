#ifndef ONNX_EXPOSE_REWRITER_BODY_EDITOR_H_
#define ONNX_EXPOSE_REWRITER_BODY_EDITOR_H_

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <vector>

#include "model/mutable_scopes.h"
#include "onnx_expose/graph_index.h"
#include "onnx_expose/value_types.h"
#include "rewriter/provenance.h"
#include "rewriter/unique_names.h"

namespace onnx_expose {

// Small changes to bodies, functions and the nodes that own or call them, each
// marked or recorded so that strip can undo it. Nodes are appended, never put
// in front: random numbers without a seed depend on a node's position.
class BodyEditor {
 public:
  BodyEditor(const GraphIndex& index, onnx::ModelProto& model,
             UniqueNames& names, Provenance& record)
      : index_(index),
        scopes_(MutableScopes(index, model)),
        names_(names),
        record_(record) {}

  const MutableScope& scope(int scope) const {
    return scopes_[static_cast<size_t>(scope)];
  }
  onnx::NodeProto& node(int node) const;
  std::string NewName(const std::string& name) { return names_.Take(name); }

  // The node as it is now goes on record, before its first change.
  void Record(int node);
  // The same for a function's output count.
  void RecordFunction(int scope);

  // Appends a node with one new output to the scope and returns it.
  onnx::NodeProto& Append(int scope, const std::string& op_type,
                          const std::vector<std::string>& inputs,
                          const std::string& output);

  // Adds a body output at `position` (-1: at the end) that brings out the
  // value `name` (empty: a placeholder for one). Its type can be inferred;
  // saying it costs message levels, of which readers take a hundred.
  onnx::ValueInfoProto& AddBodyOutput(int scope, int position,
                                      const std::string& output,
                                      const std::string& name);
  // Adds a body input at the end.
  void AddBodyInput(int scope, const std::string& name);

  // Appends a Constant that is an int64 scalar. Its name.
  std::string AppendNumber(int scope, int64_t number, const std::string& name);

  // Appends a node that gives an empty value of this type: a tensor with a dim
  // of 0, an empty sequence or optional. Its name; empty if there is none.
  std::string AppendEmpty(int scope, const onnx::TypeProto& type,
                          const std::string& name);

 private:
  std::string AppendConstant(int scope, onnx::TensorProto tensor,
                             const std::string& name);
  Provenance::NodePath PathOf(int node) const;

  const GraphIndex& index_;
  std::vector<MutableScope> scopes_;
  UniqueNames& names_;
  Provenance& record_;
};

// Adds a node with one output, whose name the node has as well.
onnx::NodeProto& AddNode(
    google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes,
    const std::string& op_type, const std::vector<std::string>& inputs,
    const std::string& output);

// Gives a Loop the body to fill in.
onnx::GraphProto& AddBody(onnx::NodeProto& loop);

// Adds an input that is a scalar of this element type.
void AddScalarInput(onnx::GraphProto& body, const std::string& name,
                    int element);

// Whether the scope's outputs have a marked entry for the value.
bool IsBroughtOut(const onnx::GraphProto& body, const std::string& name);

// Makes the node's output list exactly `size` long with omitted outputs, if it
// is shorter.
void PadOutputs(onnx::NodeProto& node, int size);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_BODY_EDITOR_H_
