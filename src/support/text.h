#ifndef ONNX_EXPOSE_SUPPORT_TEXT_H_
#define ONNX_EXPOSE_SUPPORT_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace onnx_expose {

// Whether the text is valid UTF-8 (overlong forms and surrogates are not).
bool IsUtf8(std::string_view text);

// Names are bytes. For a line of text: control characters and bytes that are
// not UTF-8 become \n, \t, \xNN; everything else stays.
std::string Printable(std::string_view name);

// Printable in single quotes.
std::string Quoted(std::string_view name);

// "'a', 'b', 'c'"; after 8 names "... and 312 more".
std::string NameList(const std::vector<std::string>& names);

// The candidate that was probably meant: the same but for letter case, or the
// fewest edits, at most a third of the word's length. Empty if none is near.
std::string Nearest(std::string_view word,
                    const std::vector<std::string>& candidates);

// The items, numbers or texts, with the separator between them. (fmt::join
// compiles fmt's formatter anew in every file that calls it.)
template <typename Items>
std::string Joined(const Items& items, std::string_view separator) {
  std::string text;
  bool first = true;
  for (const auto& item : items) {
    if (!first) text += separator;
    first = false;
    if constexpr (std::is_convertible_v<decltype(item), std::string_view>) {
      text += item;
    } else {
      text += std::to_string(item);
    }
  }
  return text;
}

// "512 bytes", "4.5 kB", "1.9 GB" (powers of 1000).
std::string ByteText(uint64_t bytes);

// "1 node", "12 nodes".
std::string Counted(uint64_t count, std::string_view noun);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SUPPORT_TEXT_H_
