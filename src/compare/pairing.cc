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

// What ONNX Runtime's quantiser appends to the name of a value.
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
      : a_(a.entries()),
        b_(b.entries()),
        names_a_(NamesOf(a_)),
        names_b_(NamesOf(b_)),
        of_a_(a_.size()),
        of_b_(b_.size()) {}

  void AddOnly() {
    if (a_.size() != 1 || b_.size() != 1) return;
    if (a_[0].name.empty() || b_[0].name.empty()) of_a_[0] = of_b_[0] = 0;
  }

  // Several of A may be called the same in B.
  void AddMapped(NameMap& map) {
    for (size_t i = 0; i < a_.size(); ++i) {
      if (of_a_[i].has_value()) continue;
      const auto found = names_b_.find({a_[i].set, map.Apply(a_[i].name)});
      if (found == names_b_.end()) continue;
      of_a_[i] = found->second;
      if (!of_b_[found->second].has_value()) of_b_[found->second] = i;
    }
  }

  // A value before and after it was quantised has the same partner.
  void AddQuantized() {
    for (size_t i = 0; i < a_.size(); ++i) {
      if (!of_a_[i].has_value()) of_a_[i] = FindBase(names_b_, a_[i]);
    }
    for (size_t i = 0; i < b_.size(); ++i) {
      if (!of_b_[i].has_value()) of_b_[i] = FindBase(names_a_, b_[i]);
    }
  }

  std::vector<Pairing> InOrder() const {
    std::vector<bool> taken(b_.size());
    for (const auto& b : of_a_) {
      if (b.has_value()) taken[*b] = true;
    }
    std::vector<Pairing> all;
    size_t next = 0;  // of B
    const auto rest_of_b_before = [&](size_t end) {
      for (; next < end; ++next) {
        if (!taken[next]) all.push_back({of_b_[next], next});
      }
    };
    for (size_t i = 0; i < a_.size(); ++i) {
      if (of_a_[i].has_value()) rest_of_b_before(std::max(next, *of_a_[i]));
      all.push_back({i, of_a_[i]});
    }
    rest_of_b_before(b_.size());
    // With a partner that only it has, a value isn't alone.
    std::vector<bool> used(a_.size());
    for (const Pairing& pair : all) {
      if (pair.a.has_value() && pair.b.has_value()) used[*pair.a] = true;
    }
    std::erase_if(all, [&](const Pairing& pair) {
      return pair.a.has_value() && !pair.b.has_value() && used[*pair.a];
    });
    return all;
  }

 private:
  static std::optional<size_t> FindBase(const Names& names,
                                        const Entry& entry) {
    const std::string base = WithoutSuffix(entry.name);
    if (base == entry.name) return {};
    const auto found = names.find({entry.set, base});
    if (found == names.end()) return {};
    return found->second;
  }

  const std::vector<Entry>& a_;
  const std::vector<Entry>& b_;
  Names names_a_;
  Names names_b_;
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
  pairs.AddMapped(map);
  if (options.quantized_names) pairs.AddQuantized();
  map.WarnOfUnused(warnings);
  return pairs.InOrder();
}

}  // namespace onnx_expose
