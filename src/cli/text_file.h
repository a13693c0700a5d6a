#ifndef ONNX_EXPOSE_CLI_TEXT_FILE_H_
#define ONNX_EXPOSE_CLI_TEXT_FILE_H_

#include <string>

#include "onnx_expose/error.h"
#include "support/file.h"
#include "support/temporary_file.h"

namespace onnx_expose::cli {

// A report that a flag asked for, complete or not at all; an earlier one is
// replaced. Throws Error(kOutput).
inline void WriteTextFile(const std::string& path, const std::string& text) {
  TemporaryFile file;
  if (file.Create(path) && WriteAll(file.fd(), text) &&
      file.MoveTo(path, true, false)) {
    return;
  }
  throw Error(ExitCode::kOutput, path,
              {"can't be written: " + ErrnoText(), "", ""});
}

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_TEXT_FILE_H_
