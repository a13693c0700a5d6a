#include "report/output_file.h"

#include <cerrno>

#include "onnx_expose/error.h"
#include "support/file.h"
#include "support/temporary_file.h"

namespace onnx_expose {

void WriteOutputFile(const std::string& path, std::string_view text,
                     bool force) {
  TemporaryFile file;
  if (file.Create(path) && WriteAll(file.fd(), text) &&
      file.MoveTo(path, force, /*sync=*/true)) {
    return;
  }
  if (errno == EEXIST && !force) {
    throw Error(ExitCode::kOutput, path,
                {"exists already", "", "add --force to replace it"});
  }
  throw Error(ExitCode::kOutput, path,
              {"can't be written: " + ErrnoText(), "", ""});
}

}  // namespace onnx_expose
