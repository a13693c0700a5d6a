#include "onnx_expose/selector.h"

#include <fmt/format.h>

#include <algorithm>

#include "selector/criterion.h"
#include "selector/explain.h"
#include "selector/marks.h"

namespace onnx_expose {
namespace {

bool AllFit(const std::vector<Criterion>& criteria, int value) {
  return std::all_of(criteria.begin(), criteria.end(),
                     [&](const Criterion& c) { return c.fits.Has(value); });
}

bool AnyFits(const std::vector<Criterion>& criteria, int value) {
  return std::any_of(criteria.begin(), criteria.end(),
                     [&](const Criterion& c) { return c.fits.Has(value); });
}

// Every single term must select something.
void RequireMatches(const Query& query,
                    const std::vector<Criterion>& includes) {
  for (const Criterion& criterion : includes) {
    if (criterion.terms.empty()) {
      throw Error(ExitCode::kRefused, "",
                  {"the list of --values-from has no names", "",
                   "--allow-empty makes that an empty selection"});
    }
    for (const Term& term : criterion.terms) {
      if (term.tally.count(Access::kOpen) > 0) continue;
      throw Error(ExitCode::kRefused, "", WhyNothing(query, criterion, term));
    }
  }
}

// An exclude that excludes nothing is probably a typo, but does no harm.
Warnings IdleExcludes(const Query& query,
                      const std::vector<Criterion>& excludes) {
  Warnings warnings;
  for (const Criterion& criterion : excludes) {
    for (const Term& term : criterion.terms) {
      if (term.tally.total() > 0) continue;
      warnings.push_back(WhyNothing(query, criterion, term));
    }
  }
  return warnings;
}

// What the nodes of the selected values read and other nodes compute.
void AddNodeInputs(const Query& query, const std::vector<Criterion>& excludes,
                   std::vector<int>& values) {
  Marks seen(query.index.values().size());
  for (const int value : values) seen.Add(value);
  const size_t selected = values.size();
  int last = -1;
  for (size_t i = 0; i < selected; ++i) {
    const int node = query.value(values[i]).node;
    if (node == last) continue;  // a node's outputs lie together
    last = node;
    for (const int input : query.index.Reads(node)) {
      if (query.value(input).kind == Value::Kind::kNodeOutput &&
          IsOpen(query, input) && !AnyFits(excludes, input) &&
          seen.Add(input)) {
        values.push_back(input);
      }
    }
  }
  std::sort(values.begin(), values.end());
}

}  // namespace

Selection SelectValues(const GraphIndex& index, const ValueTypes& types,
                       const SelectorOptions& options) {
  if (!options.includes_something()) {
    throw Error(ExitCode::kUsage, "",
                {"nothing says which values to take", "",
                 "name them with --ops, --nodes or --values, or take every "
                 "value with --all"});
  }
  const Query query{index, types, options};
  const std::vector<Criterion> includes = IncludingCriteria(query);
  const std::vector<Criterion> excludes = ExcludingCriteria(query);
  if (!options.allow_empty) RequireMatches(query, includes);

  Selection selection;
  selection.warnings = IdleExcludes(query, excludes);
  Tally wanted, left;
  for (int value = 0; value < index.node_output_count(); ++value) {
    if (!IsSelectable(query, value) || !AllFit(includes, value)) continue;
    const Access access = AccessTo(query, value);
    wanted.Add(value, access);
    if (AnyFits(excludes, value)) continue;
    left.Add(value, access);
    if (access == Access::kOpen) selection.values.push_back(value);
  }
  // --all of nothing is all there is.
  const bool nothing_there = includes.empty() && wanted.total() == 0;
  if (selection.values.empty() && !nothing_there && !options.allow_empty) {
    throw Error(ExitCode::kRefused, "",
                WhyEmpty(includes, query, wanted, left));
  }
  if (options.node_inputs) AddNodeInputs(query, excludes, selection.values);
  return selection;
}

}  // namespace onnx_expose
