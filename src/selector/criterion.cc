#include "selector/criterion.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "selector/op_types.h"
#include "selector/paths.h"
#include "selector/pattern.h"

namespace onnx_expose {
namespace {

Criterion NewCriterion(const Query& query, Criterion::Kind kind,
                       std::string_view flag,
                       const std::vector<std::string>& texts) {
  Criterion criterion{kind, {}, Marks(query.index.values().size()), {}};
  for (const std::string& text : texts) {
    criterion.terms.push_back({std::string(flag), text, {}});
  }
  return criterion;
}

// Notes that `terms` of the criterion fit the value.
void Fit(const Query& query, int value, const std::vector<int>& terms,
         Criterion& criterion) {
  if (terms.empty() || !IsSelectable(query, value)) return;
  const Access access = AccessTo(query, value);
  criterion.fits.Add(value);
  criterion.tally.Add(value, access);
  for (const int term : terms) {
    criterion.terms[static_cast<size_t>(term)].tally.Add(value, access);
  }
}

Criterion ByOps(const Query& query, std::string_view flag,
                const std::vector<std::string>& texts) {
  const OpTypeList ops(flag, texts);
  Criterion criterion =
      NewCriterion(query, Criterion::Kind::kOps, flag, ops.texts());
  std::vector<int> found;
  for (int node = 0; node < static_cast<int>(query.index.nodes().size());
       ++node) {
    found.clear();
    ops.Match(*query.node(node).node, found);
    for (const int value : query.index.Writes(node)) {
      Fit(query, value, found, criterion);
    }
  }
  return criterion;
}

Criterion ByNodes(const Query& query, std::string_view flag,
                  const std::vector<std::string>& texts) {
  const PatternList patterns(flag, texts);
  Criterion criterion =
      NewCriterion(query, Criterion::Kind::kNodes, flag, patterns.texts());
  std::vector<int> found;
  for (int node = 0; node < static_cast<int>(query.index.nodes().size());
       ++node) {
    const std::string& name = query.node(node).node->name();
    if (name.empty()) continue;
    found.clear();
    patterns.Match(name, found);
    for (const int value : query.index.Writes(node)) {
      Fit(query, value, found, criterion);
    }
  }
  return criterion;
}

Criterion ByValues(const Query& query, std::string_view flag,
                   const std::vector<std::string>& texts,
                   const std::vector<std::string>& names) {
  PatternList patterns(flag, texts);
  const size_t written = patterns.texts().size();
  for (const std::string& name : names) patterns.AddExact(name);
  Criterion criterion =
      NewCriterion(query, Criterion::Kind::kValues, flag, patterns.texts());
  for (size_t i = written; i < criterion.terms.size(); ++i) {
    criterion.terms[i].flag = "--values-from";
  }
  std::vector<int> found;
  for (int value = 0; value < query.index.node_output_count(); ++value) {
    found.clear();
    patterns.Match(query.value(value).name, found);
    Fit(query, value, found, criterion);
  }
  return criterion;
}

Criterion ByTypes(const Query& query, std::string_view flag,
                  const std::vector<std::string>& names) {
  Criterion criterion =
      NewCriterion(query, Criterion::Kind::kTypes, flag, names);
  std::vector<int> wanted;
  for (const std::string& name : names) wanted.push_back(ElementType(name));
  std::vector<int> found;
  for (int value = 0; value < query.index.node_output_count(); ++value) {
    const int type =
        ElementTypeOf(query.types.types[static_cast<size_t>(value)]);
    found.clear();
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i] == type) found.push_back(static_cast<int>(i));
    }
    Fit(query, value, found, criterion);
  }
  return criterion;
}

Criterion ByPaths(const Query& query, const std::string& from,
                  const std::string& to) {
  Criterion criterion =
      NewCriterion(query, Criterion::Kind::kBetween, "--between",
                   {fmt::format("{} {}", from, to)});
  const std::vector<int> start = PathEnd(query.index, from);
  const std::vector<int> end = PathEnd(query.index, to);
  if (start.empty() || end.empty()) return criterion;
  const Marks between = ValuesBetween(query.index, start, end);
  const std::vector<int> only = {0};
  for (int value = 0; value < query.index.node_output_count(); ++value) {
    if (between.Has(value)) Fit(query, value, only, criterion);
  }
  return criterion;
}

}  // namespace

bool IsSelectable(const Query& query, int value) {
  const Value& here = query.value(value);
  return !here.added || (here.scope == 0 && here.is_output);
}

bool IsOfModel(const Query& query, int node) {
  const auto writes = query.index.Writes(node);
  return writes.empty() ||
         std::any_of(writes.begin(), writes.end(),
                     [&](int value) { return IsSelectable(query, value); });
}

Access AccessTo(const Query& query, int value) {
  const Value& here = query.value(value);
  const bool inner = here.scope != 0 && !query.options.deep;
  const bool constant = here.constant && !query.options.include_constants &&
                        !(here.scope == 0 && here.is_output);
  if (inner) return constant ? Access::kInnerConstant : Access::kInner;
  return constant ? Access::kConstant : Access::kOpen;
}

void Tally::Add(int value, Access access) {
  const auto at = static_cast<size_t>(access);
  if (counts[at]++ == 0) firsts[at] = value;
}

std::vector<Criterion> IncludingCriteria(const Query& query) {
  const SelectorOptions& options = query.options;
  std::vector<Criterion> criteria;
  if (!options.ops.empty()) {
    criteria.push_back(ByOps(query, "--ops", options.ops));
  }
  if (!options.nodes.empty()) {
    criteria.push_back(ByNodes(query, "--nodes", options.nodes));
  }
  if (!options.values.empty() || options.exact_values.has_value()) {
    criteria.push_back(
        ByValues(query, "--values", options.values,
                 options.exact_values.value_or(std::vector<std::string>())));
  }
  if (!options.types.empty()) {
    criteria.push_back(ByTypes(query, "--types", options.types));
  }
  if (options.between.has_value()) {
    criteria.push_back(
        ByPaths(query, options.between->first, options.between->second));
  }
  return criteria;
}

std::vector<Criterion> ExcludingCriteria(const Query& query) {
  const SelectorOptions& options = query.options;
  std::vector<Criterion> criteria;
  if (!options.exclude_ops.empty()) {
    criteria.push_back(ByOps(query, "--exclude-ops", options.exclude_ops));
  }
  if (!options.exclude_nodes.empty()) {
    criteria.push_back(
        ByNodes(query, "--exclude-nodes", options.exclude_nodes));
  }
  if (!options.exclude_values.empty()) {
    criteria.push_back(
        ByValues(query, "--exclude-values", options.exclude_values, {}));
  }
  return criteria;
}

int ElementTypeOf(const onnx::TypeProto& type) {
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType:
      return type.tensor_type().elem_type();
    case onnx::TypeProto::kSparseTensorType:
      return type.sparse_tensor_type().elem_type();
    case onnx::TypeProto::kSequenceType:
      return ElementTypeOf(type.sequence_type().elem_type());
    case onnx::TypeProto::kOptionalType:
      return ElementTypeOf(type.optional_type().elem_type());
    case onnx::TypeProto::kMapType:
      return ElementTypeOf(type.map_type().value_type());
    default:
      return 0;
  }
}

}  // namespace onnx_expose
