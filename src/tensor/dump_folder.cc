#include "tensor/dump_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "onnx_expose/error.h"
#include "support/file.h"
#include "support/natural_order.h"
#include "support/temporary_file.h"
#include "tensor/file_name.h"
#include "tensor/new_file.h"

namespace onnx_expose {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void Fail(const std::string& folder, const std::error_code& why) {
  throw Error(ExitCode::kOutput, folder,
              {fmt::format("can't be written: {}", why.message()), "", ""});
}

[[noreturn]] void Refuse(const std::string& folder, const std::string& what,
                         const std::string& note, const std::string& hint) {
  throw Error(ExitCode::kOutput, folder, {what, note, hint});
}

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  if (error) Fail(folder, error);
  return names;
}

bool Holds(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool HasEntry(const std::string& folder, const char* name) {
  std::error_code ignored;
  return fs::exists(InFolder(folder, name), ignored);
}

void Remove(const std::string& folder, const std::string& name) {
  const std::string path = InFolder(folder, name);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) FailToWrite(path);
}

// What an earlier dump has put there. Of a complete one its manifest says it.
std::vector<std::string> FilesOfDump(const std::string& folder,
                                     const std::vector<std::string>& names) {
  std::set<std::string, std::less<>> listed;
  const bool complete = Holds(names, kManifestFile);
  if (complete) {
    try {
      const Manifest manifest = ReadDump(folder);
      for (const auto& input : manifest.inputs) listed.insert(input.file);
      for (const auto& value : manifest.values) listed.insert(value.file);
    } catch (const Error& error) {
      Refuse(folder, "isn't empty and isn't a dump",
             fmt::format("{}: {}{}{}", kManifestFile, error.message().what,
                         error.message().note.empty() ? "" : ": ",
                         error.message().note),
             "choose another folder");
    }
  }
  std::vector<std::string> files;
  for (const std::string& name : names) {
    const bool tensors = IsTensorFileName(name) || name == kValuesFile;
    if (name == kStatisticsFile ||
        (tensors && (!complete || listed.contains(name)))) {
      files.push_back(name);
    }
  }
  return files;
}

void Mark(const std::string& folder) {
  const std::string path = InFolder(folder, kIncompleteFile);
  const int fd =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (fd < 0 || ::close(fd) != 0) FailToWrite(path);
}

}  // namespace

std::string InFolder(const std::string& folder, const std::string& name) {
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

std::vector<std::string> DumpFolders(const std::string& folder) {
  if (HasEntry(folder, kManifestFile) || HasEntry(folder, kIncompleteFile)) {
    return {folder};
  }
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::string name = at->path().filename().string();
    if (HasEntry(InFolder(folder, name), kManifestFile)) {
      names.push_back(std::move(name));
    }
  }
  std::sort(names.begin(), names.end(), NaturallyLess);
  std::vector<std::string> folders;
  for (const std::string& name : names) {
    folders.push_back(InFolder(folder, name));
  }
  return folders;
}

void OpenDumpFolder(const std::string& folder, bool force) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) Fail(folder, error);
  const std::vector<std::string> names = NamesIn(folder);
  const bool complete = Holds(names, kManifestFile);
  if (!complete && !Holds(names, kIncompleteFile) && !names.empty()) {
    Refuse(folder, "isn't empty and isn't a dump", "", "choose another folder");
  }
  const std::vector<std::string> files = FilesOfDump(folder, names);
  if (!names.empty() && !force) {
    Refuse(folder,
           complete ? "holds a dump already" : "holds an incomplete dump",
           complete ? "" : "the run that wrote it was stopped",
           "add --force to replace it");
  }
  Mark(folder);
  // First of all: from here on nobody takes what is left for a dump.
  Remove(folder, kManifestFile);
  for (const std::string& file : files) Remove(folder, file);
}

void CompleteDumpFolder(const std::string& folder, const std::string& manifest,
                        bool sync) {
  const std::string path = InFolder(folder, kManifestFile);
  TemporaryFile file;
  if (!file.Create(path) || !WriteAll(file.fd(), manifest) ||
      !file.MoveTo(path, /*replace=*/false, sync)) {
    FailToWrite(path);
  }
  Remove(folder, kIncompleteFile);
}

}  // namespace onnx_expose
