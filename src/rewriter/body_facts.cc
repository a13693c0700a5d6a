#include "rewriter/body_facts.h"

#include "model/steady_shapes.h"
#include "rewriter/lift_step.h"

namespace onnx_expose {
namespace {

ValueTypes Proof(const GraphIndex& index, const ValueTypes& types,
                 InferOptions infer) {
  if (!types.seeded && infer.infer) return types;
  infer.infer = true;
  infer.declared = false;
  infer.given.clear();
  return InferTypes(index, infer);
}

}  // namespace

BodyFacts::BodyFacts(const GraphIndex& index, const InferOptions& infer)
    : index_(index),
      types_(InferTypes(index, infer)),
      proof_(Proof(index, types_, infer)) {
  for (int i = 0; i < static_cast<int>(index.nodes().size()); ++i) {
    if (index.nodes()[static_cast<size_t>(i)].node->op_type() != "Scan") {
      continue;
    }
    for (const int scope : index.BodiesOf(i)) {
      steady_[scope] = SteadyShapes(index, scope);
    }
  }
}

bool BodyFacts::HasSameShape(int scope, int value) const {
  // Symbols that are left in types are those of graph inputs, and have one size
  // for the whole run.
  if (HasAllDims(proof_.types[static_cast<size_t>(value)])) return true;
  const auto steady = steady_.find(scope);
  return steady != steady_.end() && steady->second.count(value) > 0;
}

bool BodyFacts::IsCollected(int scope) {
  const auto [known, is_new] = collected_.emplace(scope, false);
  if (!is_new) return known->second;
  const auto scope_of = [this](int node) {
    return index_.nodes()[static_cast<size_t>(node)].scope;
  };
  const Scope& here = index_.scopes()[static_cast<size_t>(scope)];
  bool collected = false;
  if (here.kind == Scope::Kind::kBody) {
    const std::string& op =
        index_.nodes()[static_cast<size_t>(here.owner)].node->op_type();
    collected = op == "Loop" || op == "Scan" ||
                (op == "If" && IsCollected(scope_of(here.owner)));
  } else if (here.kind == Scope::Kind::kFunction) {
    for (int i = 0; i < static_cast<int>(index_.nodes().size()); ++i) {
      collected =
          collected || (index_.Callee(i) == scope && IsCollected(scope_of(i)));
    }
  }
  collected_[scope] = collected;
  return collected;
}

}  // namespace onnx_expose
