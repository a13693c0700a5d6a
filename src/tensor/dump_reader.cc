#include <sys/stat.h>

#include <string_view>

#include "onnx_expose/dump.h"
#include "tensor/dump_folder.h"
#include "tensor/file_bytes.h"
#include "tensor/manifest.h"

namespace onnx_expose {
namespace {

bool Exists(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0;
}

}  // namespace

Manifest ReadDump(const std::string& folder) {
  const std::string path = InFolder(folder, kManifestFile);
  if (!Exists(path)) {
    if (Exists(InFolder(folder, kIncompleteFile))) {
      throw Error(ExitCode::kInput, folder,
                  {"the dump is incomplete",
                   "the run that wrote it was stopped before its end",
                   "run it again with --force"});
    }
    throw Error(ExitCode::kInput, folder,
                {"is no dump",
                 Exists(folder) ? "there is no manifest.json in it"
                                : "there is no such folder",
                 "onnx-expose run MODEL -o DIR makes one"});
  }
  const FileBytes file = MapFile(path);
  return ParseManifest(
      {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()},
      path);
}

}  // namespace onnx_expose
