#include "runtime/sentence.h"

#include <re2/re2.h>

#include <algorithm>

#include "support/text.h"

namespace onnx_expose {
namespace {

// The end of what `open` at `begin` of the text opens.
size_t Closing(std::string_view text, size_t begin, char open, char close) {
  int depth = 0;
  for (size_t at = begin; at < text.size(); ++at) {
    depth += text[at] == open ? 1 : text[at] == close ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return begin;
}

// The length of the function's name in front of a sentence: one word, or all
// of "virtual T onnxruntime::F(int) const [with T = float] ".
size_t FunctionLength(std::string_view text) {
  const size_t word = std::min(text.find(' '), text.size() - 1) + 1;
  const size_t paren = text.find('(');
  if (paren == std::string_view::npos ||
      !RE2::FullMatch(std::string(text.substr(0, paren)),
                      R"([\w:<>*&,~\[\] ]*::[^.']*)")) {
    return word;
  }
  size_t end = Closing(text, paren, '(', ')');
  if (end == paren) return word;
  // "(anonymous namespace)::F(int)"
  if (text.substr(end).starts_with("::")) {
    const size_t next = text.find('(', end);
    if (next == std::string_view::npos) return word;
    end = Closing(text, next, '(', ')');
  }
  if (text.substr(end).starts_with(" const")) end += 6;
  if (text.substr(end).starts_with(" [with ")) {
    end = Closing(text, end + 1, '[', ']');
  }
  return end;
}

// "session.cc:12 Function " or "/a/b.cc:12 Status onnxruntime::F(x) ", wherever
// it is.
void RemovePlaces(std::string& text) {
  static const RE2 place(
      R"((?:^|[ :])([^\s:]+\.(?:cc|h|cpp|cu|cuh|hpp):\d+ ))");
  re2::StringPiece found;
  while (RE2::PartialMatch(text, place, &found)) {
    const auto begin = static_cast<size_t>(found.data() - text.data());
    const std::string_view rest =
        std::string_view(text).substr(begin + found.size());
    size_t length = rest.empty() ? 0 : FunctionLength(rest);
    while (length < rest.size() && rest[length] == ' ') ++length;
    text.erase(begin, found.size() + length);
  }
}

}  // namespace

std::string RuntimeSentence(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  RE2::GlobalReplace(&line, R"(\[ONNXRuntimeError\] : \d+ : \w+ : )", "");
  RemovePlaces(line);
  RE2::GlobalReplace(&line,
                     R"(Non-zero status code returned while running (\S+) )"
                     R"(node\. Name:'([^']*)' Status Message: )",
                     R"(\1 '\2': )");
  RE2::GlobalReplace(&line, R"(Load model from .*? failed: ?)", "");
  for (const char* words :
       {"Failed to load model with error: ", "This is an invalid model. ",
        "Exception during initialization: ", "Fatal error: ", "Error: "}) {
    if (line.starts_with(words)) line.erase(0, std::string_view(words).size());
  }
  const size_t end = line.find_last_not_of(" .");
  line.resize(end == std::string::npos ? 0 : end + 1);
  return Printable(line);
}

}  // namespace onnx_expose
