#include "report/running_dump.h"

#include <sys/stat.h>

#include <charconv>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>

#include "onnx_expose/tensor_files.h"
#include "tensor/data_text.h"
#include "tensor/dump_folder.h"
#include "tensor/file_name.h"

namespace onnx_expose {
namespace {

bool Exists(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0;
}

// "0007_conv_1a2b3c4d.npy": index and readable part.
std::optional<DumpedValue> FromFileName(const std::string& file) {
  constexpr size_t kTail = sizeof("_1a2b3c4d.npy") - 1;
  if (!IsTensorFileName(file) || !file.ends_with(".npy")) return {};
  DumpedValue value;
  const char* end = file.data() + file.size();
  const auto [behind, error] = std::from_chars(file.data(), end, value.index);
  const auto from = static_cast<size_t>(behind - file.data()) + 1;
  if (error != std::errc() || file.size() < from + kTail) return {};
  value.name = file.substr(from, file.size() - from - kTail);
  value.file = file;
  return value;
}

// Nothing while the file is still being written.
std::optional<DumpedValue> ReadFile(const std::string& folder,
                                    const std::string& file) {
  auto value = FromFileName(file);
  if (!value) return {};
  try {
    Data data;
    data.tensor = ReadNpy(InFolder(folder, file));
    value->type = DataText(data, "");
    value->shape = data.tensor.shape;
    value->stats = ComputeStatistics(data);
  } catch (const Error&) {
    return {};
  }
  return value;
}

}  // namespace

bool IsIncompleteDump(const std::string& folder) {
  return Exists(InFolder(folder, kIncompleteFile)) &&
         !Exists(InFolder(folder, kManifestFile));
}

Manifest RunningDump::Look() {
  std::set<std::string> files;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder_, error), end;
       !error && at != end; at.increment(error)) {
    files.insert(at->path().filename().string());
  }
  for (const std::string& file : files) {
    if (seen_.contains(file)) continue;
    if (auto value = ReadFile(folder_, file)) seen_[file] = std::move(*value);
  }
  Manifest manifest;
  for (const auto& [file, value] : seen_) {
    if (files.contains(file)) manifest.values.push_back(value);
  }
  return manifest;
}

}  // namespace onnx_expose
