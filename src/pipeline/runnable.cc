#include "pipeline/runnable.h"

#include <sys/stat.h>

#include <string>

#include "onnx_expose/error.h"
#include "onnx_expose/writer.h"
#include "support/file.h"

namespace onnx_expose {

std::string ScratchFolder::NewPath(const std::string& name) {
  if (folder_.path().empty() && !folder_.Create(FolderOf(beside_))) {
    throw Error(ExitCode::kOutput, FolderOf(beside_),
                {"can't make a folder in it: " + ErrnoText(), "", ""});
  }
  // A folder for each: their data files may have the same names.
  const std::string folder = folder_.path() + "/" + std::to_string(count_++);
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
            std::move(in_memory.folder), ""};
  }
  const std::string path = scratch.NewPath("model.onnx");
  WriteModel(model, path, {.force = false, .copy_data = true});
  return {path, "", "", model.source->path()};
}

}  // namespace onnx_expose
