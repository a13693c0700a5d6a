#ifndef ONNX_EXPOSE_LOADER_FILE_KIND_H_
#define ONNX_EXPOSE_LOADER_FILE_KIND_H_

#include <string_view>

namespace onnx_expose {

enum class TextKind { kNone, kOnnxText, kProtobufText };

struct FileKind {
  // What the file is instead of a model ("a Git LFS pointer"); empty: it may
  // be one.
  std::string_view stranger;
  std::string_view hint;
  TextKind text = TextKind::kNone;
};

// Looks at the first bytes of a file (some hundred are enough).
FileKind LookAt(std::string_view head);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_LOADER_FILE_KIND_H_
