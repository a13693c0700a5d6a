#include "support/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace onnx_expose {
namespace {

constexpr size_t kMostNames = 8;
// Beyond this a comparison costs more than the suggestion is worth.
constexpr size_t kLongestCompared = 256;
constexpr size_t kMostCompared = 200000;

// Bytes of the valid UTF-8 sequence at the start of `text`, 0 if there is none
// (overlong forms, surrogates and numbers above U+10FFFF are none).
size_t SequenceLength(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const uint8_t second = byte(1);
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) {
    return 0;
  }
  return length;
}

char Lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Edits (insert, delete, replace, swap neighbours) between two words; stops
// above `limit`.
size_t Distance(std::string_view a, std::string_view b, size_t limit) {
  std::vector<size_t> before(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  const auto same = [&](size_t i, size_t j) {
    return Lower(a[i]) == Lower(b[j]);
  };
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    size_t best = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1,
                         last[j - 1] + (same(i - 1, j - 1) ? 0 : 1)});
      if (i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1)) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
      best = std::min(best, row[j]);
    }
    if (best > limit) return limit + 1;
  }
  return row[b.size()];
}

}  // namespace

bool IsUtf8(std::string_view text) {
  for (;;) {
    const auto* next = std::find_if(text.begin(), text.end(),
                                    [](char c) { return (c & 0x80) != 0; });
    text.remove_prefix(static_cast<size_t>(next - text.begin()));
    if (text.empty()) return true;
    const size_t length = SequenceLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
}

std::string Printable(std::string_view name) {
  if (std::all_of(name.begin(), name.end(),
                  [](char c) { return c >= 0x20 && c < 0x7F; })) {
    return std::string(name);
  }
  std::string text;
  text.reserve(name.size());
  while (!name.empty()) {
    const size_t length = SequenceLength(name);
    const auto byte = static_cast<uint8_t>(name[0]);
    // U+0080 to U+009F are control characters as well, two bytes each.
    const bool control =
        byte < 0x20 || byte == 0x7F ||
        (length == 2 && byte == 0xC2 && static_cast<uint8_t>(name[1]) < 0xA0);
    if (length > 0 && !control) {
      text.append(name.substr(0, length));
    } else if (byte == '\n') {
      text += "\\n";
    } else if (byte == '\t') {
      text += "\\t";
    } else if (byte == '\r') {
      text += "\\r";
    } else {
      for (size_t i = 0; i < std::max<size_t>(length, 1); ++i) {
        text += fmt::format("\\x{:02x}", static_cast<uint8_t>(name[i]));
      }
    }
    name.remove_prefix(std::max<size_t>(length, 1));
  }
  return text;
}

std::string Quoted(std::string_view name) {
  return "'" + Printable(name) + "'";
}

std::string NameList(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size() && i < kMostNames; ++i) {
    if (i > 0) text += ", ";
    text += Quoted(names[i]);
  }
  if (names.size() > kMostNames) {
    text += fmt::format(" ... and {} more", names.size() - kMostNames);
  }
  return text;
}

std::string Nearest(std::string_view word,
                    const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kLongestCompared) return "";
  size_t limit = std::max<size_t>(1, word.size() / 3);
  const std::string* nearest = nullptr;
  for (size_t i = 0; i < candidates.size() && i < kMostCompared; ++i) {
    const std::string& candidate = candidates[i];
    const size_t longer = std::max(candidate.size(), word.size());
    const size_t shorter = std::min(candidate.size(), word.size());
    if (candidate.empty() || longer - shorter > limit) continue;
    const size_t distance = Distance(word, candidate, limit);
    if (distance > limit || (nearest != nullptr && distance == limit)) continue;
    nearest = &candidate;
    limit = distance;
    if (distance == 0) break;
  }
  return nearest == nullptr ? "" : *nearest;
}

std::string ByteText(uint64_t bytes) {
  if (bytes < 1000) return Counted(bytes, "byte");
  constexpr std::array<const char*, 4> kUnits = {"kB", "MB", "GB", "TB"};
  double number = static_cast<double>(bytes) / 1000;
  size_t unit = 0;
  while (number >= 999.95 && unit + 1 < kUnits.size()) {
    number /= 1000;
    ++unit;
  }
  return fmt::format("{:.1f} {}", number, kUnits[unit]);
}

std::string Counted(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace onnx_expose
