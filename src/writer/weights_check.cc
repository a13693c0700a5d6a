#include "writer/weights_check.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "onnx_expose/error.h"
#include "support/file.h"
#include "support/text.h"
#include "writer/target.h"

namespace onnx_expose {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void Refuse(const std::string& path, const std::string& what,
                         const std::string& note, const std::string& hint) {
  throw Error(ExitCode::kOutput, path, {what, note, hint});
}

// Empty if the result is a file beside which there can be another one.
std::string NoPlaceBeside(const std::string& path) {
  if (path == "-") return "standard output";
  struct stat info {};
  const bool special = ::stat(path.c_str(), &info) == 0 &&
                       !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
  return special ? "a device or pipe" : "";
}

bool HasDots(const std::string& path) {
  return fs::path(path).filename().native().find("..") != std::string::npos;
}

// Why nothing can point into the model file; empty if it can.
std::string WhyNoSource(const Skeleton& model) {
  const std::string& path = model.source->path();
  struct stat info {};
  if (model.source->is_stdin()) return "it comes from standard input";
  if (model.from_text) return "it is text";
  if (::lstat(path.c_str(), &info) != 0) return ErrnoText();
  if (S_ISLNK(info.st_mode)) return "it is a symbolic link";
  if (!model.source->IsSameFile(info.st_dev, info.st_ino)) {
    return "it is no regular file";
  }
  if (info.st_nlink > 1) return "it has more than one hard link";
  if (HasDots(path)) return "its name has '..' in it";
  return "";
}

void CheckReference(const Skeleton& model, const std::string& path) {
  const std::string why = WhyNoSource(model);
  if (!why.empty()) {
    Refuse(
        model.source->is_stdin() ? "standard input" : model.source->path(),
        fmt::format("no other file can refer to its weights: {}", why),
        "the ONNX checker or ONNX Runtime refuses to follow such a reference",
        "use --weights external or copy");
  }
  const std::string no_place = NoPlaceBeside(path);
  if (!no_place.empty()) {
    Refuse(
        path,
        fmt::format("{} can't refer to the weights of another file", no_place),
        "", "name a file beside the model, or leave out --weights");
  }
  if (!SameFolder(FolderOf(path), FolderOf(model.source->path()))) {
    Refuse(path,
           fmt::format("is in another folder than the weights it would refer "
                       "to, {}",
                       Quoted(model.source->path())),
           "runtimes follow references within one folder only",
           "write beside the model, or use --weights external or copy");
  }
}

void CheckExternal(const Skeleton& model, const std::string& path,
                   const WriteOptions& options) {
  const std::string no_place = NoPlaceBeside(path);
  if (!no_place.empty()) {
    Refuse(path, fmt::format("{} can't have a data file beside it", no_place),
           "", "name a file, or leave out --weights");
  }
  const std::string data = DataFileOf(path);
  if (HasDots(data)) {
    Refuse(data, "can't be a data file: its name has '..' in it",
           "the ONNX checker refuses to read it", "choose another name");
  }
  const std::string name = fs::path(data).filename().native();
  for (const std::string& location : ExternalLocations(model)) {
    if (fs::path(location).lexically_normal() != name) continue;
    Refuse(data, "is the name of a data file that the model has already", "",
           "choose another name for the output");
  }
  if (!CheckNewFile(model, data, options))
    RefuseOutput(data, "is no regular file");
}

}  // namespace

void CheckWeights(const Skeleton& model, const std::string& path,
                  const WriteOptions& options) {
  if (options.weights == Weights::kReference) CheckReference(model, path);
  if (options.weights == Weights::kExternal) {
    CheckExternal(model, path, options);
  }
}

}  // namespace onnx_expose
