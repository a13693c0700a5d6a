#ifndef ONNX_EXPOSE_REWRITER_INLINE_CALLS_H_
#define ONNX_EXPOSE_REWRITER_INLINE_CALLS_H_

#include <onnx/onnx_pb.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "onnx_expose/graph_index.h"
#include "rewriter/unique_names.h"

namespace onnx_expose {

// The graph or function of a scope: what stays the same when scopes are
// numbered anew.
const void* ScopeKey(const Scope& scope);

// The position in the model's functions of the function that the scope is or
// lies in; -1 in the main graph and its bodies.
int FunctionOf(const GraphIndex& index, int scope);

// Calls of functions, computed once more by copies of the functions' nodes that
// are appended where the calls are. What a function can't give out because it
// is written once for all its calls, or in another opset, comes out of the
// copies; the calls stay as they are.
class InlinedCalls {
 public:
  struct Place {
    const void* scope;
    std::string name;
    std::string shown;            // but for what makes the name unique
    std::vector<int> call_order;  // if it isn't in a body
  };

  InlinedCalls(onnx::ModelProto& model, UniqueNames& names)
      : model_(model), names_(names) {}

  // Copies every call of these functions (positions in the model), but for
  // calls inside of them: those are in copies as well.
  void Add(const std::set<int>& functions);

  bool Has(int function) const { return functions_.count(function) > 0; }

  // Where the copies of a value are that the function defines, by the scope it
  // is defined in.
  std::vector<Place> PlacesOf(const void* scope, const std::string& name) const;

  // Where a node belongs among those of its scope: its position in the model
  // as it was, for nodes of a copy that of the call and then their own.
  std::vector<int> OrderOf(const NodeRef& node) const;

  // Whether values of functions come out of this call: not out of calls that
  // have a copy, nor of copies that an earlier expose made.
  bool IsUsed(const GraphIndex& index, int call) const;

 private:
  class Copier;
  struct ScopeCopy {
    const void* scope;
    std::map<std::string, std::string> names;
    std::string label;  // of the call, if it isn't a body
    std::vector<int> call_order;
  };

  void CopyCall(const GraphIndex& index, int call,
                google::protobuf::RepeatedPtrField<onnx::NodeProto>& to);

  onnx::ModelProto& model_;
  UniqueNames& names_;
  std::set<int> functions_;
  std::multimap<const void*, ScopeCopy> copies_;  // by original scope
  std::map<const onnx::NodeProto*, std::vector<int>> orders_;
};

// Why calls of the function (a position in the model) can't be inlined where
// they are; empty if they can.
std::string InlineObstacle(const GraphIndex& index, int function);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_INLINE_CALLS_H_
