#include "runtime/log.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <array>
#include <cstddef>
#include <utility>

#include "runtime/sentence.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

constexpr size_t kMostOfAKind = 8;

struct Known {
  RE2 pattern;
  int name;             // which group of the pattern is the value's name
  const char* kind;     // what all such values have in common
  const char* message;  // RE2's \1, \2; empty: not worth a line
};

// Sentences of ONNX Runtime 1.17 to 1.32.
const std::array<Known, 5>& KnownSentences() {
  static const std::array<Known, 5> known = {{
      {RE2(R"(Error merging shape info for output\. '(.*)' source:\{(.*)\} )"
           R"(target:\{(.*)\}.*)"),
       1, "values whose declared shape contradicts inference",
       R"('\1' is declared [\3], and by inference is [\2])"},
      {RE2(R"(Expected shape from model of \{(.*)\} does not match actual )"
           R"(shape of \{(.*)\} for output (.*))"),
       3, "values that haven't their declared shape",
       R"('\3' is declared [\1] and is [\2])"},
      {RE2(R"(Duplicate initializer .*'(.*)' the model will use.*)"), 1,
       "initializers that are there twice",
       R"('\1' is an initializer twice; the last one counts)"},
      {RE2(R"(Initializer (.*) appears in graph inputs and will not be .*)"), 1,
       "", ""},
      {RE2(R"(Removing initializer '(.*)'\. It is (?:no longer|not) used .*)"),
       1, "", ""},
  }};
  return known;
}

}  // namespace

void RuntimeLog::Add(std::string_view text) {
  std::string line = RuntimeSentence(text);
  RE2::GlobalReplace(&line, R"(([{,])-1\b)", R"(\1?)");  // dims
  const std::lock_guard lock(mutex_);
  for (const Known& known : KnownSentences()) {
    std::array<re2::StringPiece, 4> groups;
    const int count = known.pattern.NumberOfCapturingGroups();
    if (!known.pattern.Match(line, 0, line.size(), RE2::ANCHOR_BOTH,
                             groups.data(), count + 1)) {
      continue;
    }
    const auto& group = groups.at(static_cast<size_t>(known.name));
    const std::string name(group.data(), group.size());
    if (*known.message == '\0' ||
        !seen_.insert(std::string(known.kind) + '\0' + name).second) {
      return;
    }
    Kind& kind = kinds_[known.kind];
    if (kind.said == kMostOfAKind) {
      ++kind.unsaid;
      return;
    }
    ++kind.said;
    std::string message;
    known.pattern.Rewrite(&message, known.message, groups.data(), count + 1);
    new_.push_back({std::move(message), "", ""});
    return;
  }
  if (!seen_.insert(line).second) return;
  new_.push_back({"ONNX Runtime: " + line, "", ""});
}

Warnings RuntimeLog::Take() {
  const std::lock_guard lock(mutex_);
  for (auto& [what, kind] : kinds_) {
    if (kind.unsaid == 0) continue;
    new_.push_back({fmt::format("{} more {}", kind.unsaid, what), "", ""});
    kind.unsaid = 0;
  }
  return std::exchange(new_, {});
}

}  // namespace onnx_expose
