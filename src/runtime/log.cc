#include "runtime/log.h"

#include <cstddef>

#include "support/text.h"

namespace onnx_expose {
namespace {

// "loop_state.cc:123 Name " or "/a/b/c.cc:12 virtual Status onnxruntime::F(x) "
// in front of the sentence proper.
std::string_view WithoutPlace(std::string_view text) {
  const size_t place = text.find(".cc:");
  if (place == std::string_view::npos ||
      text.substr(0, place).find(' ') != std::string_view::npos) {
    return text;
  }
  const size_t end = text.find(' ', place);
  if (end == std::string_view::npos) return text;
  text.remove_prefix(end + 1);
  // A signature ends with its parameter list, a name with a space.
  const size_t paren = text.find(") ");
  const size_t space = text.find(' ');
  const size_t colons = text.substr(0, paren).find("::");
  if (paren != std::string_view::npos && colons != std::string_view::npos) {
    return text.substr(paren + 2);
  }
  return space == std::string_view::npos ? text : text.substr(space + 1);
}

}  // namespace

std::string RuntimeSentence(std::string_view text) {
  if (text.starts_with("[ONNXRuntimeError]")) {
    for (int i = 0; i < 3; ++i) {
      const size_t colon = text.find(" : ");
      if (colon == std::string_view::npos) break;
      text.remove_prefix(colon + 3);
    }
  }
  text = WithoutPlace(text);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
    text.remove_suffix(1);
  }
  std::string line;
  for (const char letter : text) line += letter == '\n' ? ' ' : letter;
  if (line.ends_with('.')) line.pop_back();
  return Printable(line);
}

void RuntimeLog::Add(std::string_view text) {
  std::string line = RuntimeSentence(text);
  const std::lock_guard lock(mutex_);
  if (!seen_.insert(line).second) return;
  new_.push_back({"ONNX Runtime: " + std::move(line), "", ""});
}

Warnings RuntimeLog::Take() {
  const std::lock_guard lock(mutex_);
  Warnings result;
  result.swap(new_);
  return result;
}

}  // namespace onnx_expose
