#include "pipeline/version_folder.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "onnx_expose/error.h"

namespace onnx_expose {
namespace {

namespace fs = std::filesystem;

// 12 of "v12"; 0 if it is no version's name.
unsigned VersionOf(const std::string& name) {
  unsigned version = 0;
  const char* end = name.data() + name.size();
  if (!name.starts_with('v')) return 0;
  const auto [stop, problem] = std::from_chars(name.data() + 1, end, version);
  return problem == std::errc() && stop == end ? version : 0;
}

}  // namespace

std::string NewVersionFolder(const std::string& base) {
  try {
    fs::create_directories(base);
    unsigned newest = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(base)) {
      newest = std::max(newest, VersionOf(entry.path().filename().string()));
    }
    while (true) {
      std::string folder = base + "/v" + std::to_string(++newest);
      if (fs::create_directory(folder)) return folder;
    }
  } catch (const fs::filesystem_error& error) {
    throw Error(
        ExitCode::kOutput, base,
        {"can't make a folder for this version: " + error.code().message(), "",
         ""});
  }
}

}  // namespace onnx_expose
