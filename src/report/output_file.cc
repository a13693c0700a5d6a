#include "report/output_file.h"

#include <cerrno>
#include <utility>

#include "onnx_expose/error.h"
#include "support/file.h"

namespace onnx_expose {
namespace {

[[noreturn]] void RefuseOutput(const std::string& path) {
  throw Error(ExitCode::kOutput, path,
              {"can't be written: " + ErrnoText(), "", ""});
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (!file_.Create(path_)) RefuseOutput(path_);
}

void OutputFile::Write(std::string_view text) {
  if (!WriteAll(file_.fd(), text)) RefuseOutput(path_);
  size_ += text.size();
}

void OutputFile::Finish(bool force) {
  if (file_.MoveTo(path_, force, /*sync=*/true)) return;
  if (errno == EEXIST && !force) {
    throw Error(ExitCode::kOutput, path_,
                {"exists already", "", "add --force to replace it"});
  }
  RefuseOutput(path_);
}

void WriteOutputFile(const std::string& path, std::string_view text,
                     bool force) {
  OutputFile file(path);
  file.Write(text);
  file.Finish(force);
}

}  // namespace onnx_expose
