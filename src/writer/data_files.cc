#include "writer/data_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
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

// Why a location may not be read; empty if it may.
std::string Escape(const std::string& folder, const std::string& location) {
  const fs::path path(location);
  if (location.empty()) return "has no location";
  if (location.find('\0') != std::string::npos) return "has no valid name";
  if (path.is_absolute()) return "is an absolute path";
  for (const auto& part : path) {
    if (part == "..") return "contains '..'";
  }
  const std::string real_folder = RealPath(folder);
  const std::string real = RealPath(folder + "/" + location);
  const std::string prefix = real_folder == "/" ? "/" : real_folder + "/";
  const bool inside = real == real_folder || real.rfind(prefix, 0) == 0;
  if (!inside && fs::exists(folder + "/" + location)) {
    return "is a link that leaves the model's folder";
  }
  return "";
}

bool MustCopy(const Skeleton& model, const std::string& path,
              const WriteOptions& options) {
  return options.weights != Weights::kInline &&
         !SameFolder(DataFolder(model), FolderOf(path));
}

// Creates the folders that `location` names below `to`.
void MakeFolders(const std::string& to, const std::string& location,
                 CreatedFiles& created) {
  for (size_t slash = location.find('/'); slash != std::string::npos;
       slash = location.find('/', slash + 1)) {
    const std::string folder = to + "/" + location.substr(0, slash);
    if (::mkdir(folder.c_str(), 0777) == 0) {
      created.Add(folder);
    } else if (errno != EEXIST) {
      RefuseOutput(folder, ErrnoText());
    }
  }
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

DataFile FindDataFile(const Skeleton& model, const std::string& location,
                      const std::string& what) {
  const std::string folder = DataFolder(model);
  const auto refuse = [&](ExitCode code, const std::string& why) {
    throw Error(code, model.source->path(),
                {fmt::format("the data file {} is not {}: it {}",
                             Quoted(location), what, why),
                 "", ""});
  };
  const std::string escape = Escape(folder, location);
  if (!escape.empty()) refuse(ExitCode::kOutput, escape);
  DataFile file;
  file.path = folder == "." ? location : folder + "/" + location;
  struct stat info {};
  if (::stat(file.path.c_str(), &info) != 0) {
    refuse(ExitCode::kInput, fmt::format("can't be opened: {}", ErrnoText()));
  }
  if (!S_ISREG(info.st_mode)) refuse(ExitCode::kInput, "is no regular file");
  if (info.st_nlink > 1) {
    refuse(ExitCode::kOutput, "has more than one hard link");
  }
  file.size = static_cast<uint64_t>(info.st_size);
  file.device = info.st_dev;
  file.inode = info.st_ino;
  return file;
}

std::unique_ptr<InputFile> OpenDataFile(const DataFile& file) {
  const int fd = ::open(file.path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    throw Error(ExitCode::kInput, file.path,
                {fmt::format("can't be opened: {}", ErrnoText()), "", ""});
  }
  auto opened = std::make_unique<InputFile>(fd, file.path);
  if (!opened->IsSameFile(file.device, file.inode) ||
      opened->size() != file.size) {
    throw Error(ExitCode::kInput, file.path,
                {"the file changed while it was read", "", "try again"});
  }
  return opened;
}

void CheckDataFiles(const Skeleton& model, const std::string& path,
                    const WriteOptions& options) {
  const std::vector<std::string> locations = ExternalLocations(model);
  if (locations.empty() || !MustCopy(model, path, options)) return;
  if (!options.copy_data) {
    throw Error(
        ExitCode::kOutput, path,
        {fmt::format("is in another folder than the model's weights, {}",
                     NameList(locations)),
         "runtimes look for them beside the model",
         "add --copy-data to take them along, or write beside the model"});
  }
  for (const std::string& location : locations) {
    FindDataFile(model, location, "copied");
    const std::string copy = FolderOf(path) + "/" + location;
    if (!options.force && fs::exists(copy)) {
      RefuseOutput(copy, "exists already", "add --force to replace it");
    }
  }
}

CreatedFiles::~CreatedFiles() {
  for (auto path = paths_.rbegin(); path != paths_.rend(); ++path) {
    ::remove(path->c_str());
  }
}

void CopyDataFiles(const Skeleton& model, const std::string& path,
                   const WriteOptions& options, CreatedFiles& created) {
  if (!options.copy_data || !MustCopy(model, path, options)) return;
  const std::string to = FolderOf(path);
  for (const std::string& location : ExternalLocations(model)) {
    MakeFolders(to, location, created);
    const auto source = OpenDataFile(FindDataFile(model, location, "copied"));
    const std::string target = to + "/" + location;
    const bool is_new = !fs::exists(target);
    WriteTarget(target, options.force, source->size(), [&](int out) {
      return CopyRange(source->fd(), 0, source->size(), out);
    });
    if (is_new) created.Add(target);
  }
}

}  // namespace onnx_expose
