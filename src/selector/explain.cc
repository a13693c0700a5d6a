#include "selector/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "selector/op_types.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// What to say if `subject` fits values, but none that may be taken.
std::optional<Message> WhyHidden(const Query& query, const std::string& subject,
                                 const Tally& tally) {
  if (tally.total() == 0 || tally.count(Access::kOpen) > 0) return std::nullopt;
  const bool constant = tally.count(Access::kConstant) > 0;
  const bool inner = tally.count(Access::kInner) > 0;
  std::string_view what, flags;
  Access access = Access::kConstant;
  if (constant && inner) {
    what =
        "values that depend on nothing but constants, or inside bodies and "
        "functions";
    flags = "--include-constants or --deep";
  } else if (constant) {
    what = "values that depend on nothing but constants";
    flags = "--include-constants";
  } else if (inner) {
    what = "values inside bodies and functions";
    flags = "--deep";
    access = Access::kInner;
  } else {
    what =
        "values inside bodies and functions that depend on nothing but "
        "constants";
    flags = "--deep and --include-constants";
    access = Access::kInnerConstant;
  }
  return Message{fmt::format("{} matches only {}, such as {}", subject, what,
                             Place(query, tally.first(access))),
                 "", fmt::format("take them with {}", flags)};
}

// The suggestion for an op type that nobody has.
std::string OpHint(const std::string& text,
                   const std::vector<std::string>& present) {
  const OpType wanted(text);
  std::vector<std::string> names;  // to compare with, in the order of `present`
  for (const std::string& op : present) {
    const OpType here(op);
    if (wanted.domain.has_value() && here.name == wanted.name) {
      return fmt::format("did you mean {}?",
                         Quoted(here.domain ? op : "ai.onnx::" + op));
    }
    names.push_back(wanted.domain.has_value() ? op : here.name);
  }
  const std::string near = Nearest(text, names);
  if (!near.empty()) return fmt::format("did you mean {}?", Quoted(near));
  if (wanted.name.find_first_of("\\^$.|?*+()[]{}") != std::string::npos) {
    return "--ops takes op types as they are; --nodes and --values take "
           "patterns";
  }
  return "";
}

Message WhyNoOp(const Query& query, const Term& term) {
  const std::vector<std::string> present = OpTypesPresent(query);
  std::vector<int> found;
  return {fmt::format("{} matches no node", Label(term)),
          present.empty()
              ? "the model has no nodes"
              : fmt::format("op types present: {}", NameList(present)),
          OpHint(term.text, present)};
}

Message WhyNoType(const Query& query, const Term& term) {
  std::map<int, int> counts;
  for (int value = 0; value < query.index.node_output_count(); ++value) {
    if (AccessTo(query, value) != Access::kOpen) continue;
    const auto& type = query.types.types[static_cast<size_t>(value)];
    ++counts[ElementTypeOf(type)];
  }
  const int unknown = counts.count(0) > 0 ? counts[0] : 0;
  counts.erase(0);
  std::vector<std::string> names;
  for (const auto& [type, count] : counts) names.push_back(ElementName(type));
  return {fmt::format("{} matches no value", Label(term)),
          names.empty()
              ? ""
              : fmt::format("element types present: {}", NameList(names)),
          unknown == 0
              ? ""
              : fmt::format("the type of {} is not known; --type NAME=TYPE "
                            "says it",
                            Counted(static_cast<uint64_t>(unknown), "value"))};
}

}  // namespace

std::string Label(const Term& term) {
  return fmt::format("{} {}", term.flag, Quoted(term.text));
}

std::string Place(const Query& query, int value) {
  const Value& here = query.value(value);
  const std::string& path = query.scope(here.scope).path;
  if (path.empty()) return Quoted(here.name);
  return fmt::format("{} in {}", Quoted(here.name), Quoted(path));
}

std::vector<std::string> OpTypesPresent(const Query& query) {
  std::map<std::string, int> counts;
  for (const NodeRef& ref : query.index.nodes()) {
    if (ref.scope == 0 || query.options.deep) ++counts[OpText(*ref.node)];
  }
  std::vector<std::pair<std::string, int>> ops(counts.begin(), counts.end());
  std::stable_sort(ops.begin(), ops.end(), [](const auto& a, const auto& b) {
    return a.second > b.second;
  });
  std::vector<std::string> names;
  for (auto& op : ops) names.push_back(std::move(op.first));
  return names;
}

Message WhyNothing(const Query& query, const Criterion& criterion,
                   const Term& term) {
  if (auto hidden = WhyHidden(query, Label(term), term.tally)) return *hidden;
  switch (criterion.kind) {
    case Criterion::Kind::kOps:
      return WhyNoOp(query, term);
    case Criterion::Kind::kNodes:
      return WhyNoNode(query, term);
    case Criterion::Kind::kValues:
      return WhyNoValue(query, criterion, term);
    case Criterion::Kind::kTypes:
      return WhyNoType(query, term);
    case Criterion::Kind::kBetween:
      return WhyNoPath(query);
  }
  return {};
}

Message WhyEmpty(const std::vector<Criterion>& includes, const Query& query,
                 const Tally& wanted, const Tally& left) {
  if (auto hidden = WhyHidden(query, "the selection", left)) return *hidden;
  const int open = wanted.count(Access::kOpen);
  if (open > 0) {
    return {
        fmt::format("nothing is selected: the excludes take out {}",
                    open == 1 ? "the only value that matches"
                              : fmt::format("all {} values that match", open)),
        "", ""};
  }
  std::vector<std::string> parts;
  for (const Criterion& criterion : includes) {
    const int count = criterion.tally.count(Access::kOpen);
    parts.push_back(
        fmt::format("{} matches {}", criterion.terms[0].flag,
                    Counted(static_cast<uint64_t>(count), "value")));
  }
  return {"nothing is selected: no value matches all kinds of flags",
          fmt::format("{}", fmt::join(parts, ", ")),
          "flags of one kind widen the selection, different kinds narrow it"};
}

}  // namespace onnx_expose
