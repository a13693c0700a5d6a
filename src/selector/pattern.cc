#include "selector/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "onnx_expose/error.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// Of one expression with its caches; RE2 searches more slowly beyond that.
constexpr int64_t kMostMemory = 8 << 20;
constexpr std::string_view kOperators = "\\^$.|?*+()[]{}";

std::unique_ptr<re2::RE2> Compile(const std::string& text,
                                  re2::RE2::Options::Encoding encoding) {
  re2::RE2::Options options;
  options.set_encoding(encoding);
  options.set_log_errors(false);
  options.set_max_mem(kMostMemory);
  options.set_dot_nl(true);
  return std::make_unique<re2::RE2>(text, options);
}

bool Search(const re2::RE2& expression, std::string_view name) {
  return expression.Match(re2::StringPiece(name.data(), name.size()), 0,
                          name.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

// "missing ): (a" -> "missing )"; where RE2 names a part that isn't the whole,
// that part and its place.
std::string Reason(const re2::RE2& expression, const std::string& text) {
  std::string reason = expression.error();
  const std::string& part = expression.error_arg();
  const std::string tail = ": " + part;
  if (part.empty() || !reason.ends_with(tail)) return Printable(reason);
  reason.resize(reason.size() - tail.size());
  const size_t at = text.find(part);
  if (part == text || at == std::string::npos) return Printable(reason);
  return fmt::format("{}, {} at byte {}", reason, Quoted(part), at + 1);
}

std::string Hint(const re2::RE2& expression, const std::string& text) {
  const std::string& part = expression.error_arg();
  const bool back_reference =
      expression.error_code() == re2::RE2::ErrorBadEscape && part.size() > 1 &&
      part[1] >= '1' && part[1] <= '9';
  if (back_reference || expression.error_code() == re2::RE2::ErrorBadPerlOp) {
    return "patterns are RE2 expressions, which have no back references and no "
           "look-ahead";
  }
  return fmt::format("for the exact name write {}", Quoted("=" + text));
}

}  // namespace

Pattern::Pattern(std::string text) : text_(std::move(text)) {
  if (exact()) return;
  bytes_ = Compile(text_, re2::RE2::Options::EncodingLatin1);
  if (!IsUtf8(text_)) return;
  characters_ = Compile(text_, re2::RE2::Options::EncodingUTF8);
  // Expressions such as \x{4e2d} make no sense for bytes, and the reason of an
  // expression that makes none at all is better told in characters.
  if (!bytes_->ok()) bytes_ = nullptr;
}

Pattern::Pattern(std::string_view flag, const std::string& text)
    : Pattern(text) {
  if (exact()) return;
  const re2::RE2& expression = characters_ != nullptr ? *characters_ : *bytes_;
  if (expression.ok()) return;
  throw Error(ExitCode::kUsage, "",
              {fmt::format("{} {} is no valid pattern: {}", flag, Quoted(text),
                           Reason(expression, text)),
               "", Hint(expression, text)});
}

std::optional<Pattern> Pattern::Try(const std::string& text) {
  Pattern pattern(text);
  const auto* expression =
      (pattern.characters_ ? pattern.characters_ : pattern.bytes_).get();
  if (expression != nullptr && !expression->ok()) return std::nullopt;
  return pattern;
}

bool Pattern::Matches(std::string_view name) const {
  if (exact()) return name == std::string_view(text_).substr(1);
  if (characters_ == nullptr) return Search(*bytes_, name);
  if (bytes_ == nullptr || IsUtf8(name)) return Search(*characters_, name);
  return Search(*bytes_, name);
}

std::string Pattern::Literal() const {
  if (exact()) return text_.substr(1);
  std::string_view text = text_;
  if (text.starts_with('^')) text.remove_prefix(1);
  if (text.ends_with('$')) text.remove_suffix(1);
  // A point is part of many names, and rarely meant as an operator.
  const bool plain = std::none_of(text.begin(), text.end(), [](char c) {
    return c != '.' && kOperators.find(c) != std::string_view::npos;
  });
  return plain ? std::string(text) : "";
}

PatternList::PatternList(std::string_view flag,
                         const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    if (text.starts_with('=')) {
      AddExact(text.substr(1));
      continue;
    }
    if (std::any_of(expressions_.begin(), expressions_.end(),
                    [&](const auto& e) { return e.second.text() == text; })) {
      continue;
    }
    expressions_.emplace_back(static_cast<int>(texts_.size()),
                              Pattern(flag, text));
    texts_.push_back(text);
  }
}

void PatternList::AddExact(const std::string& name) {
  const auto number = static_cast<int>(texts_.size());
  if (names_.emplace(name, number).second) texts_.push_back("=" + name);
}

void PatternList::Match(std::string_view name, std::vector<int>& found) const {
  if (!names_.empty()) {
    const auto exact = names_.find(name);
    if (exact != names_.end()) found.push_back(exact->second);
  }
  for (const auto& [number, pattern] : expressions_) {
    if (pattern.Matches(name)) found.push_back(number);
  }
}

}  // namespace onnx_expose
