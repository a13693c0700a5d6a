#ifndef ONNX_EXPOSE_CHECK_FRAME_H_
#define ONNX_EXPOSE_CHECK_FRAME_H_

#include <onnx/onnx_pb.h>

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "check/known_type.h"

namespace onnx_expose {

// What inference knows while it walks a graph or, once for each call, a
// function.
struct Frame {
  // A graph; `outer` is the frame around a body.
  Frame(int scope_in, Frame* outer_in)
      : scope(scope_in),
        outer(outer_in),
        user(outer_in),
        depth(outer_in == nullptr ? 0 : outer_in->depth + 1) {}
  // A function, called by the node `call` of frame `user`.
  Frame(int scope_in, Frame* user_in, int call_in)
      : scope(scope_in),
        user(user_in),
        call(call_in),
        depth(user_in->depth + 1) {}

  // Null: nothing known.
  const onnx::TypeProto* FindType(std::string_view name) const;
  // The attribute of the call that a node in a function refers to.
  const onnx::AttributeProto* FindAttribute(std::string_view name) const;
  // Whether the name is an input of the function that the call left out.
  bool IsAbsent(std::string_view name) const;

  // Whether the checker, having met an unknown operator, says no more.
  bool IsSilenced() const;
  // The call that led here; -1 in the main graph.
  int Call() const;

  int scope;
  Frame* outer = nullptr;  // values of this frame are visible
  Frame* user = nullptr;   // what goes wrong here goes wrong there
  int call = -1;
  int depth;
  bool silenced = false;
  bool failed = false;

  std::unordered_map<std::string_view, onnx::TypeProto> types;
  // Known values, of this frame alone.
  std::unordered_map<std::string_view, const onnx::TensorProto*> data;
  std::unordered_map<std::string_view, const onnx::SparseTensorProto*> sparse;
  std::deque<onnx::TensorProto> constants;  // owned ones among `data`
  // Types that value_info and outputs declare.
  std::unordered_multimap<std::string_view, const onnx::ValueInfoProto*> infos;
  std::unordered_multimap<std::string_view, const onnx::ValueInfoProto*>
      outputs;
  // Of a function.
  std::unordered_map<std::string_view, const onnx::AttributeProto*> attributes;
  std::unordered_set<std::string_view> absent;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_CHECK_FRAME_H_
