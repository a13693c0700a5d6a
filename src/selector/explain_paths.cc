#include <fmt/format.h>

#include "selector/explain.h"
#include "selector/paths.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// Why an end of --between can't be found.
Message WhyNoEnd(const Query& query, const std::string& name) {
  Message message;
  message.what =
      fmt::format("--between: there is no value or node {}", Quoted(name));
  std::vector<std::string> names;
  for (size_t i = 0; i < query.index.values().size(); ++i) {
    const Value& value = query.index.values()[i];
    if (value.scope == 0) {
      names.emplace_back(value.name);
    } else if (value.name == name) {
      message.what += " in the main graph";
      message.note = Place(query, static_cast<int>(i)) +
                     " lies inside, where --between has no ends";
      return message;
    }
  }
  for (const NodeRef& ref : query.index.nodes()) {
    if (ref.scope == 0) names.push_back(ref.node->name());
  }
  const std::string near = Nearest(name, names);
  message.hint = near.empty()
                     ? "'onnx-expose list MODEL' shows the names there are"
                     : fmt::format("did you mean {}?", Quoted(near));
  return message;
}

bool Connected(const Query& query, const std::vector<int>& from,
               const std::vector<int>& to) {
  const Marks between = ValuesBetween(query.index, from, to);
  for (const int value : to) {
    if (between.Has(value)) return true;
  }
  return false;
}

}  // namespace

Message WhyNoPath(const Query& query) {
  const auto& [from, to] = *query.options.between;
  const std::vector<int> start = PathEnd(query.index, from);
  if (start.empty()) return WhyNoEnd(query, from);
  const std::vector<int> end = PathEnd(query.index, to);
  if (end.empty()) return WhyNoEnd(query, to);
  if (Connected(query, start, end)) {
    return {fmt::format("no value that a node computes lies between {} and {}",
                        Quoted(from), Quoted(to)),
            "", ""};
  }
  const std::string what =
      fmt::format("no path leads from {} to {}", Quoted(from), Quoted(to));
  if (Connected(query, end, start)) {
    return {what, "one leads the other way",
            fmt::format("--between {} {}", Quoted(to), Quoted(from))};
  }
  return {what, "none leads the other way either", ""};
}

}  // namespace onnx_expose
