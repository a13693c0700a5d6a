#include "rewriter/inline_calls.h"

#include <algorithm>
#include <utility>

#include "model/function_attributes.h"
#include "model/marks.h"
#include "model/mutable_scopes.h"

namespace onnx_expose {
namespace {

using Names = std::map<std::string, std::string>;
using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

const Scope& ScopeAt(const GraphIndex& index, int scope) {
  return index.scopes()[static_cast<size_t>(scope)];
}

const NodeRef& NodeAt(const GraphIndex& index, int node) {
  return index.nodes()[static_cast<size_t>(node)];
}

// The node itself or the one around it that exposing added; null if none.
const onnx::NodeProto* AddedAround(const GraphIndex& index, int node) {
  while (true) {
    const NodeRef& ref = NodeAt(index, node);
    if (IsAdded(ref.node->doc_string())) return ref.node;
    const Scope& scope = ScopeAt(index, ref.scope);
    if (scope.kind != Scope::Kind::kBody) return nullptr;
    node = scope.owner;
  }
}

int RootOf(const GraphIndex& index, int scope) {
  while (ScopeAt(index, scope).parent >= 0) {
    scope = ScopeAt(index, scope).parent;
  }
  return scope;
}

}  // namespace

const void* ScopeKey(const Scope& scope) {
  return scope.graph != nullptr ? static_cast<const void*>(scope.graph)
                                : static_cast<const void*>(scope.function);
}

int FunctionOf(const GraphIndex& index, int scope) {
  const auto* function = ScopeAt(index, RootOf(index, scope)).function;
  const auto& functions = index.model().functions();
  for (int i = 0; i < functions.size(); ++i) {
    if (&functions.Get(i) == function) return i;
  }
  return -1;
}

// Gives every name that a function's nodes and their bodies define a new one.
class InlinedCalls::Copier {
 public:
  Copier(std::string label, InlinedCalls& result)
      : label_(std::move(label)), result_(result) {}

  // Frames are looked at from the last to the first.
  void Define(const std::string& name) {
    if (name.empty() || frames_.back().count(name) > 0) return;
    frames_.back()[name] = result_.names_.Take(label_ + "/" + name);
  }
  void DefineOutputs(const Nodes& nodes) {
    for (const auto& node : nodes) {
      for (const auto& name : node.output()) Define(name);
    }
  }

  void Enter(Names names) { frames_.push_back(std::move(names)); }
  const Names& frame() const { return frames_.back(); }

  // `from` is what `node` is a copy of.
  void Rename(const onnx::NodeProto& from, onnx::NodeProto& node) {
    for (auto& name : *node.mutable_input()) name = NewName(name);
    for (auto& name : *node.mutable_output()) name = NewName(name);
    for (int i = 0; i < node.attribute_size(); ++i) {
      auto& attribute = *node.mutable_attribute(i);
      if (attribute.has_g()) {
        RenameBody(from.attribute(i).g(), *attribute.mutable_g());
      }
      for (int k = 0; k < attribute.graphs_size(); ++k) {
        RenameBody(from.attribute(i).graphs(k), *attribute.mutable_graphs(k));
      }
    }
  }

 private:
  std::string NewName(const std::string& name) const {
    for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
      const auto found = frame->find(name);
      if (found != frame->end()) return found->second;
    }
    return name;
  }

  template <typename List>
  void RenameAll(List& list) {
    for (auto& entry : list) entry.set_name(NewName(entry.name()));
  }

  void RenameBody(const onnx::GraphProto& from, onnx::GraphProto& body) {
    Enter({});
    for (const auto& input : body.input()) Define(input.name());
    for (const auto& tensor : body.initializer()) Define(tensor.name());
    for (const auto& tensor : body.sparse_initializer()) {
      Define(tensor.values().name());
    }
    DefineOutputs(body.node());
    RenameAll(*body.mutable_input());
    RenameAll(*body.mutable_initializer());
    RenameAll(*body.mutable_output());
    RenameAll(*body.mutable_value_info());
    for (auto& tensor : *body.mutable_sparse_initializer()) {
      auto& values = *tensor.mutable_values();
      values.set_name(NewName(values.name()));
    }
    for (auto& note : *body.mutable_quantization_annotation()) {
      note.set_tensor_name(NewName(note.tensor_name()));
      for (auto& entry : *note.mutable_quant_parameter_tensor_names()) {
        entry.set_value(NewName(entry.value()));
      }
    }
    for (int i = 0; i < body.node_size(); ++i) {
      Rename(from.node(i), *body.mutable_node(i));
    }
    result_.copies_.emplace(&from, ScopeCopy{&body, frame(), {}, {}});
    frames_.pop_back();
  }

  const std::string label_;
  InlinedCalls& result_;
  std::vector<Names> frames_;
};

void InlinedCalls::Add(const std::set<int>& functions) {
  functions_ = functions;
  std::set<int> left = functions;
  while (!left.empty()) {
    const GraphIndex index(model_);
    const auto scopes = MutableScopes(index, model_);
    // By function: its calls. Callers go first: a copy of what calls it holds
    // a call that is to be copied as well. Functions never call themselves.
    std::map<int, std::vector<int>> calls;
    std::set<int> called;
    for (int i = 0; i < static_cast<int>(index.nodes().size()); ++i) {
      if (index.Callee(i) < 0) continue;
      const int callee = FunctionOf(index, index.Callee(i));
      if (left.count(callee) == 0) continue;
      if (left.count(FunctionOf(index, NodeAt(index, i).scope)) > 0) {
        called.insert(callee);
      }
      if (IsUsed(index, i)) calls[callee].push_back(i);
    }
    const int next = *std::find_if(left.begin(), left.end(), [&](int function) {
      return called.count(function) == 0;
    });
    for (const int call : calls[next]) {
      CopyCall(index, call,
               *scopes[static_cast<size_t>(NodeAt(index, call).scope)].nodes());
    }
    left.erase(next);
  }
}

void InlinedCalls::CopyCall(const GraphIndex& index, int call, Nodes& to) {
  const NodeRef& ref = NodeAt(index, call);
  const int callee = index.Callee(call);
  const onnx::FunctionProto& function = *ScopeAt(index, callee).function;
  const std::string label = index.Label(call);
  std::vector<int> call_order = OrderOf(ref);
  call_order.push_back(0);

  Names inputs;
  for (int i = 0; i < function.input_size(); ++i) {
    inputs[function.input(i)] =
        i < ref.node->input_size() ? ref.node->input(i) : "";
  }
  // Names in the main graph are final; those elsewhere must not take them.
  Copier copier(ref.scope == 0 ? label : label + "/inlined", *this);
  copier.Enter(std::move(inputs));
  copier.DefineOutputs(function.node());
  const BoundAttributes bound = AttributesOf(function, *ref.node);
  for (int i = 0; i < static_cast<int>(index.nodes().size()); ++i) {
    const NodeRef& inner = NodeAt(index, i);
    if (inner.scope != callee || IsAdded(inner.node->doc_string())) continue;
    onnx::NodeProto& copy = *to.Add();
    copy = *inner.node;
    copy.set_name(label + "/" + index.Label(i));
    copy.set_doc_string(Added("inlined from " + label));
    copier.Rename(*inner.node, copy);
    Bind(copy, bound);
    std::vector<int>& order = orders_[&copy];
    order = call_order;
    order.push_back(inner.own_index);
  }
  copies_.emplace(&function, ScopeCopy{ScopeKey(ScopeAt(index, ref.scope)),
                                       copier.frame(), label, call_order});
}

std::vector<InlinedCalls::Place> InlinedCalls::PlacesOf(
    const void* scope, const std::string& name) const {
  std::vector<Place> places;
  const auto [begin, end] = copies_.equal_range(scope);
  for (auto copy = begin; copy != end; ++copy) {
    const auto found = copy->second.names.find(name);
    if (found == copy->second.names.end()) continue;
    const ScopeCopy& at = copy->second;
    std::string shown = at.label.empty() ? name : at.label + "/" + name;
    places.push_back(
        {at.scope, found->second, std::move(shown), at.call_order});
  }
  return places;
}

std::vector<int> InlinedCalls::OrderOf(const NodeRef& node) const {
  const auto order = orders_.find(node.node);
  return order == orders_.end() ? std::vector<int>{node.own_index}
                                : order->second;
}

bool InlinedCalls::IsUsed(const GraphIndex& index, int call) const {
  if (Has(FunctionOf(index, NodeAt(index, call).scope))) return false;
  const onnx::NodeProto* added = AddedAround(index, call);
  return added == nullptr || orders_.count(added) > 0;
}

}  // namespace onnx_expose
