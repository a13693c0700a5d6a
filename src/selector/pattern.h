#ifndef ONNX_EXPOSE_SELECTOR_PATTERN_H_
#define ONNX_EXPOSE_SELECTOR_PATTERN_H_

#include <re2/re2.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace onnx_expose {

// What --nodes and --values take: an RE2 expression that is searched anywhere
// in a name, or "=NAME" for exactly that name. A name is one piece: `.` also
// stands for a line break in it, `^` and `$` for its ends.
//
// Names are bytes. Where both pattern and name are UTF-8 (nearly always) a
// character is a code point; otherwise a byte, so that `.` and `\xff` work on
// names that aren't text.
class Pattern {
 public:
  // Throws Error(kUsage), in the name of `flag`, if `text` is no expression.
  Pattern(std::string_view flag, const std::string& text);

  // The pattern, or nothing if `text` is no expression.
  static std::optional<Pattern> Try(const std::string& text);

  const std::string& text() const { return text_; }
  bool exact() const { return !text_.empty() && text_[0] == '='; }
  bool Matches(std::string_view name) const;

  // The name that the pattern spells out: without the mark "=" or the anchors.
  // Empty for an expression with operators in it.
  std::string Literal() const;

 private:
  explicit Pattern(std::string text);

  std::string text_;
  // One of the two at least, unless the pattern is exact.
  std::unique_ptr<re2::RE2> characters_;
  std::unique_ptr<re2::RE2> bytes_;
};

// Several patterns at once. Exact ones cost nothing, however many there are.
class PatternList {
 public:
  // Throws Error(kUsage) like Pattern.
  PatternList(std::string_view flag, const std::vector<std::string>& texts);

  // Adds the pattern "=" + name.
  void AddExact(const std::string& name);

  // The patterns as written, each once.
  const std::vector<std::string>& texts() const { return texts_; }

  // Appends the indices in texts() of the patterns that match.
  void Match(std::string_view name, std::vector<int>& found) const;

 private:
  std::vector<std::string> texts_;
  std::vector<std::pair<int, Pattern>> expressions_;
  std::map<std::string, int, std::less<>> names_;  // of the exact ones
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SELECTOR_PATTERN_H_
