#ifndef ONNX_EXPOSE_MODEL_MARKS_H_
#define ONNX_EXPOSE_MODEL_MARKS_H_

#include <string>
#include <string_view>

namespace onnx_expose {

// Every doc_string we write starts like this: it is how strip knows what is
// ours, and how nothing of ours is taken for the model's own.
inline constexpr std::string_view kMark = "onnx-expose: ";

inline bool IsMarked(std::string_view doc_string) {
  return doc_string.substr(0, kMark.size()) == kMark;
}

inline std::string Marked(std::string_view text) {
  return std::string(kMark).append(text);
}

// Nodes and initializers that exposing added; --annotate marks those of the
// model as well.
inline constexpr std::string_view kAddedMark = "onnx-expose: (added) ";

inline bool IsAdded(std::string_view doc_string) {
  return doc_string.substr(0, kAddedMark.size()) == kAddedMark;
}

inline std::string Added(std::string_view text) {
  return std::string(kAddedMark).append(text);
}

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_MODEL_MARKS_H_
