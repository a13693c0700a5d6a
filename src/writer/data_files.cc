#include "writer/data_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "model/tensors.h"
#include "onnx_expose/error.h"
#include "support/file.h"
#include "support/text.h"
#include "writer/target.h"

namespace onnx_expose {
namespace {

namespace fs = std::filesystem;

bool SameFolder(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::equivalent(a, b, error);
}

// Why a location may not be read; empty if it may. Runtimes refuse the same
// (onnx-facts 7), and a copy would read files the model has no business with.
std::string Escape(const std::string& folder, const std::string& location) {
  const fs::path path(location);
  if (location.empty()) return "has no location";
  if (path.is_absolute()) return "is an absolute path";
  for (const auto& part : path) {
    if (part == "..") return "contains '..'";
  }
  const std::string real_folder = RealPath(folder);
  const std::string real = RealPath(folder + "/" + location);
  const std::string prefix = real_folder == "/" ? "/" : real_folder + "/";
  if (real.rfind(prefix, 0) != 0 && fs::exists(folder + "/" + location)) {
    return "is a link that leaves the model's folder";
  }
  return "";
}

}  // namespace

std::vector<std::string> ExternalLocations(const Skeleton& model) {
  std::vector<std::string> locations;
  std::set<std::string> seen;
  ForEachTensor(model.proto, [&](const onnx::TensorProto& tensor) {
    if (!IsExternal(tensor)) return;
    const std::string location = ExternalEntry(tensor, "location");
    if (!location.empty() && seen.insert(location).second) {
      locations.push_back(location);
    }
  });
  return locations;
}

void CheckDataFiles(const Skeleton& model, const std::string& path,
                    const WriteOptions& options) {
  const std::string from = DataFolder(model);
  const std::string to = FolderOf(path);
  const std::vector<std::string> locations = ExternalLocations(model);
  if (locations.empty() || SameFolder(from, to)) return;
  if (!options.copy_data) {
    throw Error(
        ExitCode::kOutput, path,
        {fmt::format("is in another folder than the model's weights, {}",
                     NameList(locations)),
         "runtimes look for them beside the model",
         "add --copy-data to take them along, or write beside the model"});
  }
  for (const std::string& location : locations) {
    const std::string escape = Escape(from, location);
    if (!escape.empty()) {
      RefuseOutput(model.source->path(),
                   fmt::format("the data file {} is not copied: it {}",
                               Quoted(location), escape));
    }
    struct stat info {};
    if (::stat((from + "/" + location).c_str(), &info) != 0 ||
        !S_ISREG(info.st_mode)) {
      throw Error(
          ExitCode::kInput, model.source->path(),
          {fmt::format("the data file {} can't be copied: {}", Quoted(location),
                       S_ISREG(info.st_mode) || info.st_mode == 0
                           ? ErrnoText()
                           : "not a regular file"),
           "", ""});
    }
    if (info.st_nlink > 1) {
      RefuseOutput(model.source->path(),
                   fmt::format("the data file {} is not copied: it has more "
                               "than one hard link",
                               Quoted(location)));
    }
    if (!options.force && fs::exists(fs::path(to) / location)) {
      RefuseOutput(to + "/" + location, "exists already",
                   "add --force to replace it");
    }
  }
}

CopiedFiles::CopiedFiles(const Skeleton& model, const std::string& path,
                         const WriteOptions& options) {
  const std::string from = DataFolder(model);
  const std::string to = FolderOf(path);
  if (!options.copy_data || SameFolder(from, to)) return;
  try {
    for (const std::string& location : ExternalLocations(model)) {
      const std::string target = to + "/" + location;
      for (size_t slash = location.find('/'); slash != std::string::npos;
           slash = location.find('/', slash + 1)) {
        const std::string folder = to + "/" + location.substr(0, slash);
        if (::mkdir(folder.c_str(), 0777) == 0) {
          created_.push_back(folder);
        } else if (errno != EEXIST) {
          RefuseOutput(folder, ErrnoText());
        }
      }
      const int fd =
          ::open((from + "/" + location).c_str(), O_RDONLY | O_CLOEXEC);
      if (fd < 0) {
        throw Error(ExitCode::kInput, from + "/" + location,
                    {fmt::format("can't be opened: {}", ErrnoText()), "", ""});
      }
      const InputFile source(fd, location);
      const bool is_new = !fs::exists(target);
      WriteTarget(target, options.force, source.size(), [&](int out) {
        return CopyRange(source.fd(), 0, source.size(), out);
      });
      if (is_new) created_.push_back(target);
    }
  } catch (...) {
    Remove();
    throw;
  }
}

CopiedFiles::~CopiedFiles() { Remove(); }

void CopiedFiles::Remove() {
  for (auto file = created_.rbegin(); file != created_.rend(); ++file) {
    ::remove(file->c_str());
  }
  created_.clear();
}

}  // namespace onnx_expose
