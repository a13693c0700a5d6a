#include "model/function_types.h"

#include <algorithm>
#include <string>

#include "model/function_attributes.h"
#include "model/function_calls.h"
#include "model/inference_copy.h"
#include "onnx_expose/value_types.h"

namespace onnx_expose {
namespace {

using onnx::TypeProto;

class FunctionInference {
 public:
  FunctionInference(const GraphIndex& index, const Symbols& symbols,
                    std::vector<TypeProto>& types)
      : index_(index),
        symbols_(symbols),
        types_(types),
        calls_(index.scopes().size()),
        seen_(types.size(), false) {
    for (int i = 0; i < static_cast<int>(index.nodes().size()); ++i) {
      const int callee = index.Callee(i);
      if (callee >= 0) calls_[static_cast<size_t>(callee)].push_back(i);
    }
  }

  void Run() {
    for (size_t i = 0; i < calls_.size(); ++i) {
      if (index_.scopes()[i].kind == Scope::Kind::kFunction) {
        Visit(static_cast<int>(i));
      }
    }
  }

 private:
  // A function's callers come first. No function calls itself, so this ends;
  // it is as deep as functions call each other.
  void Visit(int function) {
    auto& calls = calls_[static_cast<size_t>(function)];
    const std::vector<int> callers = std::move(calls);
    calls.clear();
    for (const int call : callers) {
      const int caller =
          RootOf(index_.nodes()[static_cast<size_t>(call)].scope);
      if (caller != 0) Visit(caller);
    }
    for (const int call : callers) InferCall(function, call);
  }

  int RootOf(int scope) const {
    while (index_.scopes()[static_cast<size_t>(scope)].parent >= 0) {
      scope = index_.scopes()[static_cast<size_t>(scope)].parent;
    }
    return scope;
  }

  void InferCall(int function, int call) {
    google::protobuf::Arena arena;
    auto& model =
        *google::protobuf::Arena::CreateMessage<onnx::ModelProto>(&arena);
    BodyAsModel(function, call, model);
    const GraphIndex body(model);
    InferenceCopy copy(body);
    copy.Infer();
    for (int i = 0; i < body.node_output_count(); ++i) {
      const Value& value = body.values()[static_cast<size_t>(i)];
      // The scopes of a function follow it in the same order; those of other
      // functions are not looked at.
      const size_t scope = static_cast<size_t>(function + value.scope);
      if (RootIn(body, value.scope) != 0 || scope >= index_.scopes().size()) {
        continue;
      }
      const int known = index_.FindIn(static_cast<int>(scope), value.name);
      const TypeProto* type = copy.Find(i);
      if (known < 0 || known >= index_.node_output_count()) continue;
      Agree(known, type == nullptr ? TypeProto() : *type);
    }
  }

  static int RootIn(const GraphIndex& index, int scope) {
    while (index.scopes()[static_cast<size_t>(scope)].parent >= 0) {
      scope = index.scopes()[static_cast<size_t>(scope)].parent;
    }
    return scope;
  }

  void BodyAsModel(int scope, int call, onnx::ModelProto& model) const {
    const auto& function =
        *index_.scopes()[static_cast<size_t>(scope)].function;
    const NodeRef& caller = index_.nodes()[static_cast<size_t>(call)];
    model.set_ir_version(index_.model().ir_version());
    *model.mutable_opset_import() = function.opset_import();
    *model.mutable_functions() = index_.model().functions();
    auto& graph = *model.mutable_graph();
    for (int i = 0; i < function.input_size(); ++i) {
      auto& input = *graph.add_input();
      input.set_name(function.input(i));
      if (i >= caller.node->input_size()) continue;
      const int value = index_.Resolve(caller.scope, caller.node->input(i));
      if (value < 0) continue;
      const TypeProto& type = types_[static_cast<size_t>(value)];
      if (HasElementType(type)) *input.mutable_type() = type;
    }
    *graph.mutable_node() = function.node();
    const BoundAttributes bound = AttributesOf(function, *caller.node);
    for (auto& node : *graph.mutable_node()) Bind(node, bound);
    for (const auto& name : function.output()) {
      graph.add_output()->set_name(name);
    }
  }

  // The first call says what it knows, the others take away what they don't
  // confirm.
  void Agree(int value, TypeProto type) {
    ForgetSymbols(type, symbols_);
    TypeProto& known = types_[static_cast<size_t>(value)];
    const auto at = static_cast<size_t>(value);
    if (!seen_[at]) {
      seen_[at] = true;
      known = std::move(type);
    } else {
      Meet(known, type);
    }
  }

  const GraphIndex& index_;
  const Symbols& symbols_;
  std::vector<TypeProto>& types_;
  std::vector<std::vector<int>> calls_;  // by function scope
  std::vector<bool> seen_;
};

}  // namespace

void InferFunctionTypes(const GraphIndex& index, const Symbols& symbols,
                        std::vector<TypeProto>& types) {
  if (index.model().functions().empty()) return;
  const FunctionCalls calls = CountFunctionCalls(index);
  if (!calls.recursive.empty() || calls.total > kMostInlinedNodes) return;
  FunctionInference(index, symbols, types).Run();
}

}  // namespace onnx_expose
