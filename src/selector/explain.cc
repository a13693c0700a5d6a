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

// An op type of OpTypesPresent with its domain always written out.
std::string Qualified(const std::string& op) {
  return OpType(op).domain.has_value() ? op : "ai.onnx::" + op;
}

// The op type that was probably meant; empty if there is none.
std::string NearestOp(const OpType& wanted, const std::string& text,
                      const std::vector<std::string>& present) {
  std::vector<std::string> names;
  std::vector<std::string> elsewhere;  // the op type itself, in other domains
  for (const std::string& op : present) {
    const std::string name = OpType(op).name;
    names.push_back(wanted.domain.has_value() ? Qualified(op) : name);
    if (name == wanted.name) elsewhere.push_back(Qualified(op));
  }
  std::string near = Nearest(text, names);
  if (near.empty() && !elsewhere.empty()) near = elsewhere.front();
  return near;
}

Message WhyNoOp(const Query& query, const Term& term) {
  const std::vector<std::string> present = OpTypesPresent(query);
  const OpType wanted(term.text);
  Message message;
  message.what = Label(term) + " matches no node";
  message.note = present.empty() ? "the model has no nodes"
                                 : "op types present: " + NameList(present);
  const std::string near = NearestOp(wanted, term.text, present);
  if (!near.empty()) {
    message.hint = fmt::format("did you mean {}?", Quoted(near));
  } else if (wanted.name.find_first_of("\\^$.|?*+()[]{}") !=
             std::string::npos) {
    message.hint = fmt::format(
        "{} takes op types as they are, no patterns; {} and {} take patterns",
        term.flag, SiblingFlag(term, "nodes"), SiblingFlag(term, "values"));
  }
  return message;
}

Message WhyNoType(const Query& query, const Term& term) {
  std::map<int, int> counts;
  for (int value = 0; value < query.index.node_output_count(); ++value) {
    if (!IsOpen(query, value)) continue;
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
  // The names in a file stand there without the mark.
  const bool listed = term.flag == "--values-from";
  return fmt::format("{} {}", term.flag,
                     Quoted(listed ? term.text.substr(1) : term.text));
}

std::string SiblingFlag(const Term& term, std::string_view kind) {
  const bool excludes = term.flag.starts_with("--exclude-");
  return fmt::format("--{}{}", excludes ? "exclude-" : "", kind);
}

std::string Place(const Query& query, int value) {
  const Value& here = query.value(value);
  const std::string& path = query.scope(here.scope).path;
  if (path.empty()) return Quoted(here.name);
  return fmt::format("{} in {}", Quoted(here.name), Quoted(path));
}

std::vector<std::string> OpTypesPresent(const Query& query) {
  std::map<std::string, int> counts;
  for (int i = 0; i < static_cast<int>(query.index.nodes().size()); ++i) {
    const NodeRef& ref = query.node(i);
    if ((ref.scope == 0 || query.options.deep) && IsOfModel(query, i)) {
      ++counts[OpText(*ref.node)];
    }
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
  if (auto hidden = WhyHidden(query, "the selection", wanted)) return *hidden;
  const int open = wanted.count(Access::kOpen);
  if (open > 0) {
    return {
        fmt::format("nothing is selected: the excludes take out {}",
                    open == 1 ? "the only value that matches"
                              : fmt::format("all {} values that match", open)),
        "", ""};
  }
  std::vector<std::string> counts;
  for (const Criterion& criterion : includes) {
    const int count = criterion.tally.count(Access::kOpen);
    counts.push_back(
        fmt::format("{} matches {}", criterion.terms[0].flag,
                    Counted(static_cast<uint64_t>(count), "value")));
  }
  return {"nothing is selected: no value matches all kinds of flags at once",
          Joined(counts, ", "),
          "flags of one kind widen the selection, different kinds narrow it"};
}

}  // namespace onnx_expose
