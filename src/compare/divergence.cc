#include "compare/divergence.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace onnx_expose {
namespace {

using Name = std::pair<std::string, std::string>;  // set, name

class Ancestry {
 public:
  // `side`: of the pairs, the one whose entries say what they were made from.
  Ancestry(const ValueSource& source, std::optional<size_t> Pairing::*side,
           const std::vector<Pairing>& pairs,
           const std::vector<ComparedValue>& values)
      : entries_(source.entries()) {
    for (size_t i = 0; i < entries_.size(); ++i) {
      by_name_.emplace(Name(entries_[i].set, entries_[i].name), i);
    }
    differs_.resize(entries_.size());
    for (size_t i = 0; i < pairs.size(); ++i) {
      const bool compared = pairs[i].a.has_value() && pairs[i].b.has_value();
      if (!compared) continue;
      const Verdict verdict = values[i].verdict;
      // What is close may carry an error on.
      if (verdict == Verdict::kClose) continue;
      differs_[*(pairs[i].*side)] = IsDifference(verdict);
    }
  }

  static bool IsKnown(const ValueSource& source) {
    const auto& entries = source.entries();
    return std::any_of(entries.begin(), entries.end(), [](const auto& entry) {
      return entry.inputs.has_value();
    });
  }

  // Whether something that the entry was computed from differs.
  bool InputsDiffer(size_t entry) const {
    std::vector<size_t> open = {entry};
    std::set<size_t> seen = {entry};
    while (!open.empty()) {
      const ValueSource::Entry& current = entries_[open.back()];
      open.pop_back();
      if (!current.inputs.has_value()) continue;
      for (const std::string& name : *current.inputs) {
        const auto found = by_name_.find({current.set, name});
        if (found == by_name_.end()) continue;
        const size_t input = found->second;
        if (!seen.insert(input).second) continue;
        if (differs_[input].value_or(false)) return true;
        if (!differs_[input].has_value()) open.push_back(input);
      }
    }
    return false;
  }

 private:
  const std::vector<ValueSource::Entry>& entries_;
  std::map<Name, size_t> by_name_;
  // Nothing: looked through, for it wasn't compared or is only close.
  std::vector<std::optional<bool>> differs_;
};

}  // namespace

bool IsDifference(Verdict verdict) {
  return verdict == Verdict::kDifferent || verdict == Verdict::kShape ||
         verdict == Verdict::kType;
}

std::vector<size_t> FirstDivergence(const ValueSource& a, const ValueSource& b,
                                    const std::vector<Pairing>& pairs,
                                    const std::vector<ComparedValue>& values) {
  std::vector<size_t> different;
  for (size_t i = 0; i < values.size(); ++i) {
    if (IsDifference(values[i].verdict)) different.push_back(i);
  }
  if (different.empty()) return {};
  const bool by_a = Ancestry::IsKnown(a);
  if (!by_a && !Ancestry::IsKnown(b)) return {different.front()};
  const auto side = by_a ? &Pairing::a : &Pairing::b;
  const Ancestry ancestry(by_a ? a : b, side, pairs, values);
  std::erase_if(different, [&](size_t i) {
    return ancestry.InputsDiffer(*(pairs[i].*side));
  });
  return different;
}

}  // namespace onnx_expose
