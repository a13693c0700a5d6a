#include "pipeline/runnable.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "onnx_expose/error.h"
#include "onnx_expose/writer.h"
#include "support/file.h"

namespace onnx_expose {

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

std::string ScratchFolder::NewPath(const std::string& name) {
  if (path_.empty()) {
    std::string pattern = FolderOf(beside_) + "/.onnx-expose-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw Error(ExitCode::kOutput, FolderOf(beside_),
                  {"can't make a folder in it: " + ErrnoText(), "", ""});
    }
    path_ = pattern;
  }
  // A folder for each: their data files may have the same names.
  const std::string folder = path_ + "/" + std::to_string(count_++);
  if (::mkdir(folder.c_str(), 0777) != 0) {
    throw Error(ExitCode::kOutput, folder,
                {"can't be made: " + ErrnoText(), "", ""});
  }
  return folder + "/" + name;
}

ModelSource Runnable(const Skeleton& model, const Runtime& runtime,
                     ScratchFolder& scratch) {
  if (runtime.reads_weights_beside_memory()) {
    ModelInMemory in_memory = SerializeModel(model);
    return {model.source->path(), std::move(in_memory.bytes),
            std::move(in_memory.folder)};
  }
  const std::string path = scratch.NewPath("model.onnx");
  WriteModel(model, path, {.force = false, .copy_data = true});
  return {path, "", ""};
}

}  // namespace onnx_expose
