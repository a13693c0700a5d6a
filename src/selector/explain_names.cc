#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "selector/explain.h"
#include "selector/op_types.h"
#include "selector/pattern.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// Names that a flag could have meant: of nodes or of values.
using Names = std::vector<std::string>;

Names NodeNames(const Query& query) {
  Names names;
  for (int i = 0; i < static_cast<int>(query.index.nodes().size()); ++i) {
    const NodeRef& ref = query.node(i);
    if (ref.scope != 0 && !query.options.deep) continue;
    if (ref.node->name().empty() || !IsOfModel(query, i)) continue;
    names.push_back(ref.node->name());
  }
  return names;
}

Names ValueNames(const Query& query) {
  Names names;
  for (int i = 0; i < query.index.node_output_count(); ++i) {
    if (IsOpen(query, i)) names.emplace_back(query.value(i).name);
  }
  return names;
}

int CountMatches(const Pattern& pattern, const Names& names) {
  return static_cast<int>(std::count_if(
      names.begin(), names.end(),
      [&](const std::string& name) { return pattern.Matches(name); }));
}

// What `text` finds if it is tried as another pattern; empty if nothing.
std::string TryInstead(const std::string& text, const Names& names) {
  const std::optional<Pattern> pattern = Pattern::Try(text);
  const int count = pattern ? CountMatches(*pattern, names) : 0;
  if (count == 0) return "";
  return fmt::format("{} matches {}", Quoted(text),
                     Counted(static_cast<uint64_t>(count), "name"));
}

// A suggestion out of the names the pattern was looked for in.
std::string NameHint(const Query& query, const Term& term,
                     const Pattern& pattern, const Names& names) {
  const std::string literal = pattern.Literal();
  if (!pattern.exact()) {
    std::string hint = TryInstead("(?i)" + pattern.text(), names);
    if (!hint.empty()) return "letter case differs: " + hint;
  }
  const Names ops = OpTypesPresent(query);
  if (std::find(ops.begin(), ops.end(), literal) != ops.end()) {
    return fmt::format("{0} is an op type: {1} {0}", Quoted(literal),
                       SiblingFlag(term, "ops"));
  }
  const std::string near = Nearest(literal, names);
  if (!near.empty()) return fmt::format("did you mean {}?", Quoted(near));
  if (pattern.exact() && !literal.empty()) {
    std::string hint = TryInstead(literal, names);
    if (!hint.empty()) return "'=' means that exact name; " + hint;
  }
  return "'onnx-expose list MODEL' shows the names there are";
}

// "'x' is a graph input".
std::string Definition(const Query& query, int value) {
  const Value& here = query.value(value);
  const bool input = here.kind == Value::Kind::kInput;
  const std::string name = Quoted(here.name);
  if (here.scope != 0) {
    return fmt::format("{} is an {} of {}", name,
                       input ? "input" : "initializer",
                       Quoted(query.scope(here.scope).path));
  }
  return fmt::format("{} is {}", name,
                     input ? "a graph input" : "an initializer");
}

// The first graph input or initializer that the pattern matches, main graph
// first; -1 if none.
int InputLike(const Query& query, const Pattern& pattern) {
  const auto count = static_cast<int>(query.index.values().size());
  for (int i = query.index.node_output_count(); i < count; ++i) {
    if (pattern.Matches(query.value(i).name)) return i;
  }
  return -1;
}

// The first of what nodes compute from a value and may be taken; -1 if none.
int ComputedFrom(const Query& query, int value) {
  for (const int node : query.index.Readers(value)) {
    for (const int result : query.index.Writes(node)) {
      if (IsOpen(query, result)) return result;
    }
  }
  return -1;
}

// A node whose name the pattern matches, the main graph's first.
int NodeLike(const Query& query, const Pattern& pattern) {
  int inner = -1;
  for (int i = 0; i < static_cast<int>(query.index.nodes().size()); ++i) {
    const NodeRef& ref = query.node(i);
    if (ref.node->name().empty() || !pattern.Matches(ref.node->name()) ||
        !IsOfModel(query, i)) {
      continue;
    }
    if (ref.scope == 0) return i;
    if (inner < 0) inner = i;
  }
  return inner;
}

int ValueLike(const Query& query, const Pattern& pattern) {
  for (int i = 0; i < query.index.node_output_count(); ++i) {
    if (IsOpen(query, i) && pattern.Matches(query.value(i).name)) return i;
  }
  return -1;
}

Names OutputNames(const Query& query, int node) {
  Names names;
  for (const int value : query.index.Writes(node)) {
    names.emplace_back(query.value(value).name);
  }
  return names;
}

Message InputMessage(const Query& query, const std::string& what, int input) {
  const int result = ComputedFrom(query, input);
  return {what,
          Definition(query, input) +
              ", and only what nodes compute can be "
              "selected",
          result < 0
              ? ""
              : fmt::format("{} is computed from it", Place(query, result))};
}

// The names of the list that nobody defines, all in one message.
Message WhyNotListed(const Query& query, const Criterion& criterion,
                     const std::string& flag) {
  std::unordered_set<std::string_view> inputs;
  for (size_t i = static_cast<size_t>(query.index.node_output_count());
       i < query.index.values().size(); ++i) {
    inputs.insert(query.index.values()[i].name);
  }
  Names missing;
  for (const Term& term : criterion.terms) {
    if (term.flag != flag || term.tally.total() > 0) continue;
    std::string name = term.text.substr(1);
    if (inputs.count(name) == 0) missing.push_back(std::move(name));
  }
  const Names names = ValueNames(query);
  Names near;
  for (size_t i = 0; i < missing.size() && i < 8; ++i) {
    std::string name = Nearest(missing[i], names);
    if (!name.empty()) near.push_back(std::move(name));
  }
  return {missing.size() == 1
              ? fmt::format("{} names a value that is not there: {}", flag,
                            NameList(missing))
              : fmt::format("{} names {} values that are not there: {}", flag,
                            missing.size(), NameList(missing)),
          "",
          near.empty() ? "'onnx-expose list MODEL' shows the names there are"
                       : fmt::format("did you mean {}?", NameList(near))};
}

}  // namespace

Message WhyNoValue(const Query& query, const Criterion& criterion,
                   const Term& term) {
  const std::optional<Pattern> pattern = Pattern::Try(term.text);
  const std::string what = Label(term) + " matches no value";
  const int input = InputLike(query, *pattern);
  if (input >= 0) return InputMessage(query, what, input);
  if (term.flag == "--values-from") {
    return WhyNotListed(query, criterion, term.flag);
  }
  const int node = NodeLike(query, *pattern);
  if (node < 0) {
    return {what, "", NameHint(query, term, *pattern, ValueNames(query))};
  }
  const Names outputs = OutputNames(query, node);
  return {what,
          fmt::format("{} is a node{}", query.index.Describe(node),
                      outputs.empty()
                          ? " without outputs"
                          : fmt::format(", its {} {}",
                                        outputs.size() == 1 ? "output is"
                                                            : "outputs are",
                                        NameList(outputs))),
          fmt::format("for nodes use {} {}", SiblingFlag(term, "nodes"),
                      Quoted(term.text))};
}

Message WhyNoNode(const Query& query, const Term& term) {
  const std::optional<Pattern> pattern = Pattern::Try(term.text);
  const std::string what = Label(term) + " matches no node";
  const int node = NodeLike(query, *pattern);
  if (node >= 0) {
    return {Label(term) + " matches only nodes without outputs",
            "the first is " + query.index.Describe(node), ""};
  }
  const int value = ValueLike(query, *pattern);
  if (value >= 0) {
    return {what,
            fmt::format("{} is a value, output of {}",
                        Quoted(query.value(value).name),
                        query.index.Describe(query.value(value).node)),
            fmt::format("for values use {} {}", SiblingFlag(term, "values"),
                        Quoted(term.text))};
  }
  const Names names = NodeNames(query);
  if (names.empty()) {
    return {what, "no node has a name",
            fmt::format("by op type {}, by value {}", SiblingFlag(term, "ops"),
                        SiblingFlag(term, "values"))};
  }
  return {what, "", NameHint(query, term, *pattern, names)};
}

}  // namespace onnx_expose
