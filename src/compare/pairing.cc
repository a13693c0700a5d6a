#include "compare/pairing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "compare/tolerance.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

using Entry = ValueSource::Entry;
using Names =
    std::map<std::pair<std::string, std::string>, size_t>;  // set, name

// What ONNX Runtime's quantiser appends to the name of a value, the one whose
// number its readers see first.
constexpr std::string_view kQuantized[] = {
    "_DequantizeLinear_Output", "_quantized", "_QuantizeLinear_Output"};

Names NamesOf(const std::vector<Entry>& entries) {
  Names names;
  for (size_t i = 0; i < entries.size(); ++i) {
    names.emplace(std::pair(entries[i].set, entries[i].name), i);
  }
  return names;
}

std::string WithoutSuffix(const std::string& name) {
  for (const std::string_view suffix : kQuantized) {
    if (name.size() > suffix.size() && name.ends_with(suffix)) {
      return name.substr(0, name.size() - suffix.size());
    }
  }
  return name;
}

class NameMap {
 public:
  explicit NameMap(const CompareOptions& options)
      : pairs_(options.pairs.begin(), options.pairs.end()) {
    for (const auto& [pattern, replacement] : options.map) {
      Rule rule{Expression("--map", pattern), replacement, 0};
      std::string problem;
      if (!rule.expression->CheckRewriteString(replacement, &problem)) {
        throw Error(ExitCode::kUsage, "",
                    {fmt::format("--map: {} can't stand for what {} finds: {}",
                                 Quoted(replacement), Quoted(pattern), problem),
                     "", ""});
      }
      rules_.push_back(std::move(rule));
    }
  }

  std::string Apply(const std::string& name) {
    const auto found = pairs_.find(name);
    if (found != pairs_.end()) return found->second;
    for (Rule& rule : rules_) {
      std::string mapped = name;
      if (!re2::RE2::Replace(&mapped, *rule.expression, rule.replacement)) {
        continue;
      }
      ++rule.used;
      return mapped;
    }
    return name;
  }

  void WarnOfUnused(Warnings& warnings) const {
    for (const Rule& rule : rules_) {
      if (rule.used > 0) continue;
      warnings.push_back({fmt::format("--map {} fits no name of the first side",
                                      Quoted(rule.expression->pattern())),
                          "", ""});
    }
  }

 private:
  struct Rule {
    std::unique_ptr<re2::RE2> expression;
    std::string replacement;
    size_t used = 0;
  };
  std::map<std::string, std::string> pairs_;
  std::vector<Rule> rules_;
};

class Pairs {
 public:
  Pairs(const ValueSource& a, const ValueSource& b)
      : a_(a.entries()), b_(b.entries()), of_a_(a_.size()), of_b_(b_.size()) {}

  // Names with a suffix win: with one each side is what its readers see.
  void AddQuantized() {
    const Names in_a = NamesOf(a_);
    const Names in_b = NamesOf(b_);
    for (const std::string_view suffix : kQuantized) {
      for (size_t i = 0; i < b_.size(); ++i) {
        if (!b_[i].name.ends_with(suffix)) continue;
        AddFrom(in_a, b_[i], [&](size_t a) { Add(a, i); });
      }
      for (size_t i = 0; i < a_.size(); ++i) {
        if (!a_[i].name.ends_with(suffix)) continue;
        AddFrom(in_b, a_[i], [&](size_t b) { Add(i, b); });
      }
    }
  }

  void AddMapped(NameMap& map, Warnings& warnings) {
    const Names in_b = NamesOf(b_);
    std::vector<std::string> twice;
    for (size_t i = 0; i < a_.size(); ++i) {
      if (of_a_[i].has_value()) continue;
      const auto found = in_b.find({a_[i].set, map.Apply(a_[i].name)});
      if (found == in_b.end()) continue;
      if (!Add(i, found->second)) twice.push_back(a_[i].name);
    }
    if (twice.empty()) return;
    warnings.push_back(
        {fmt::format("left out {}: the value of its name on the other side has "
                     "a partner",
                     NameList(twice)),
         "", ""});
  }

  void AddOnly() {
    if (a_.size() != 1 || b_.size() != 1) return;
    if (a_[0].name.empty() || b_[0].name.empty()) Add(0, 0);
  }

  std::vector<Pairing> InOrder() const {
    std::vector<Pairing> all;
    size_t next = 0;  // of B
    const auto only_b_before = [&](size_t end) {
      for (; next < end; ++next) {
        if (!of_b_[next].has_value()) all.push_back({std::nullopt, next});
      }
    };
    for (size_t i = 0; i < a_.size(); ++i) {
      if (of_a_[i].has_value()) only_b_before(std::max(next, *of_a_[i]));
      all.push_back({i, of_a_[i]});
    }
    only_b_before(b_.size());
    return all;
  }

 private:
  template <typename Pair>
  static void AddFrom(const Names& names, const Entry& entry, const Pair& add) {
    const auto found = names.find({entry.set, WithoutSuffix(entry.name)});
    if (found != names.end()) add(found->second);
  }

  bool Add(size_t a, size_t b) {
    if (of_a_[a].has_value() || of_b_[b].has_value()) return false;
    of_a_[a] = b;
    of_b_[b] = a;
    return true;
  }

  const std::vector<Entry>& a_;
  const std::vector<Entry>& b_;
  std::vector<std::optional<size_t>> of_a_;
  std::vector<std::optional<size_t>> of_b_;
};

}  // namespace

std::vector<Pairing> PairEntries(const ValueSource& a, const ValueSource& b,
                                 const CompareOptions& options,
                                 Warnings& warnings) {
  NameMap map(options);
  Pairs pairs(a, b);
  pairs.AddOnly();
  if (options.quantized_names) pairs.AddQuantized();
  pairs.AddMapped(map, warnings);
  map.WarnOfUnused(warnings);
  return pairs.InOrder();
}

}  // namespace onnx_expose
