#ifndef ONNX_EXPOSE_SELECTOR_CRITERION_H_
#define ONNX_EXPOSE_SELECTOR_CRITERION_H_

#include <array>
#include <string>
#include <vector>

#include "onnx_expose/graph_index.h"
#include "onnx_expose/selector.h"
#include "onnx_expose/value_types.h"
#include "selector/marks.h"

namespace onnx_expose {

// What a selection is made from.
struct Query {
  const GraphIndex& index;
  const ValueTypes& types;
  const SelectorOptions& options;

  const Value& value(int i) const {
    return index.values()[static_cast<size_t>(i)];
  }
  const NodeRef& node(int i) const {
    return index.nodes()[static_cast<size_t>(i)];
  }
  const Scope& scope(int i) const {
    return index.scopes()[static_cast<size_t>(i)];
  }
};

// Whether a node output may be taken, and if not which flags are missing:
// --include-constants, --deep, or both.
enum class Access { kOpen, kConstant, kInner, kInnerConstant };

// Whether the value can be selected at all. What exposing added can't, it is no
// value of the model, unless it is an output of the main graph.
bool IsSelectable(const Query& query, int value);

// Whether the node is part of the model, not only there because of exposing.
bool IsOfModel(const Query& query, int node);

// A constant that is an output of the main graph already is open: taking it
// adds nothing, and leaving it out would say that it isn't there.
Access AccessTo(const Query& query, int value);

// Selectable, and nothing keeps it back.
inline bool IsOpen(const Query& query, int value) {
  return IsSelectable(query, value) && AccessTo(query, value) == Access::kOpen;
}

// Node outputs that something fits, by Access: how many and which comes first.
struct Tally {
  std::array<int, 4> counts{};
  std::array<int, 4> firsts{};

  void Add(int value, Access access);
  int count(Access access) const { return counts[static_cast<size_t>(access)]; }
  int first(Access access) const { return firsts[static_cast<size_t>(access)]; }
  int total() const { return counts[0] + counts[1] + counts[2] + counts[3]; }
};

// One pattern, op type, ... of a flag.
struct Term {
  std::string flag;  // "--ops"
  std::string text;  // as written
  Tally tally;
};

// One kind of flag: the node outputs that at least one of its terms fits, of
// every scope, constants included.
struct Criterion {
  enum class Kind { kOps, kNodes, kValues, kTypes, kBetween };
  Kind kind;
  std::vector<Term> terms;
  Marks fits;
  Tally tally;
};

// The kinds that the options use. Throw Error(kUsage) for what can't be
// understood: patterns, op types, names of element types.
std::vector<Criterion> IncludingCriteria(const Query& query);
std::vector<Criterion> ExcludingCriteria(const Query& query);

// The element type of a tensor, or of what a sequence, optional or map holds;
// 0 if it isn't known.
int ElementTypeOf(const onnx::TypeProto& type);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SELECTOR_CRITERION_H_
