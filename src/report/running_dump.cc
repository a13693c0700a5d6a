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
#include "tensor/file_bytes.h"
#include "tensor/file_name.h"
#include "tensor/format_error.h"
#include "tensor/npz.h"
#include "tensor/zip_reader.h"

namespace onnx_expose {
namespace {

bool Exists(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0;
}

// "0007_conv_1a2b3c4d.npy": index and readable part. Not an input's.
std::optional<DumpedValue> FromFileName(const std::string& file) {
  if (!IsTensorFileName(file)) return {};
  const size_t kTail = sizeof("_1a2b3c4d") - 1 + file.size() - file.rfind('.');
  DumpedValue value;
  const char* end = file.data() + file.size();
  const auto [behind, error] = std::from_chars(file.data(), end, value.index);
  const auto from = static_cast<size_t>(behind - file.data()) + 1;
  if (error != std::errc() || file.size() < from + kTail) return {};
  value.name = file.substr(from, file.size() - from - kTail);
  value.file = file;
  return value;
}

// What a file says of itself, without a manifest; `name` is what is inside of
// it, if anything. The directory of an npz is its end: the file is complete.
Data ReadAlone(const std::string& path, std::string& name) {
  if (path.ends_with(".pb")) return ReadPb(path, "", &name);
  Data data;
  if (path.ends_with(".npy")) {
    data.tensor = ReadNpy(path);
    return data;
  }
  return InFile(path, "", [&] {
    const ZipReader zip(MapFile(path));
    return zip.Has("keys.npy") ? MapFromNpz(zip) : SequenceFromNpz(zip);
  });
}

// Nothing while the file is still being written.
std::optional<DumpedValue> ReadFile(const std::string& folder,
                                    const std::string& file) {
  auto value = FromFileName(file);
  if (!value) return {};
  std::string name;
  try {
    const Data data = ReadAlone(InFolder(folder, file), name);
    if (!name.empty()) value->name = name;
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
