#include "check/external.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <set>
#include <utility>

#include "check/tensor_data.h"
#include "check/type_match.h"
#include "onnx_expose/value_types.h"
#include "support/file.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

struct Entries {
  std::string location;
  uint64_t offset = 0;
  uint64_t length = 0;  // 0: as long as it takes
};

// Digits only, as ONNX Runtime wants it.
bool ParseNumber(const std::string& text, uint64_t& number) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  return result.ec == std::errc() && result.ptr == end &&
         number <= static_cast<uint64_t>(INT64_MAX);
}

std::optional<Problem> ReadEntries(const onnx::TensorProto& tensor,
                                   Entries& entries) {
  std::set<std::string> seen;
  for (const auto& entry : tensor.external_data()) {
    const std::string& key = entry.key();
    if (!seen.insert(key).second) {
      return Problem{
          fmt::format("says {} twice of its external data", Quoted(key)),
          kOnlyOrtRefuses};
    }
    if (key == "location") {
      entries.location = entry.value();
    } else if (key == "offset" || key == "length") {
      uint64_t& number = key == "offset" ? entries.offset : entries.length;
      if (!ParseNumber(entry.value(), number)) {
        return Problem{fmt::format("has {} as the {} of its external data, "
                                   "which is no number of bytes",
                                   Quoted(entry.value()), key),
                       kOnlyOrtRefuses};
      }
    } else if (key != "checksum" && key.rfind("prepacked", 0) != 0) {
      return Problem{fmt::format("has an unknown key {} in its external data",
                                 Quoted(key)),
                     kOnlyOrtRefuses};
    }
  }
  if (entries.location.empty()) {
    return Problem{"is stored outside of the file, but doesn't say where", ""};
  }
  return std::nullopt;
}

bool IsWithin(const std::string& folder, const std::string& path) {
  const std::string prefix = folder == "/" ? "/" : folder + "/";
  return path.compare(0, prefix.size(), prefix) == 0;
}

}  // namespace

ExternalData::ExternalData(const Skeleton& model) : model_(model) {
  const bool has_path = model.source != nullptr && !model.source->is_stdin();
  const std::string path = has_path ? model.source->path() : "";
  folder_ = has_path ? FolderOf(path) : ".";
  real_folder_ = RealPath(folder_);
  target_folder_ = has_path ? FolderOf(RealPath(path)) : real_folder_;
}

std::optional<Problem> ExternalData::Check(const onnx::TensorProto& tensor) {
  if (!StoredFields(model_, tensor).empty()) {
    return Problem{"is stored outside of the file, but has data in it, too",
                   kOrtTakesIt};
  }
  Entries entries;
  if (auto problem = ReadEntries(tensor, entries)) return problem;
  const File& file = Look(entries.location);
  if (file.problem.has_value()) return file.problem;

  const std::optional<uint64_t> needed = TensorBytes(tensor);
  if (!needed.has_value()) {
    return Problem{
        fmt::format("is {} and stored in the data file {}, which only numbers "
                    "can be",
                    TypeText(TypeOf(tensor)), Quoted(entries.location)),
        kOnlyOrtRefuses};
  }
  if (entries.length != 0 && entries.length != *needed) {
    return Problem{
        fmt::format("has {} in the data file {} where {} takes {}",
                    Counted(entries.length, "byte"), Quoted(entries.location),
                    TypeText(TypeOf(tensor)), Counted(*needed, "byte")),
        kOnlyOrtRefuses};
  }
  if (entries.offset > file.size || *needed > file.size - entries.offset) {
    return Problem{
        fmt::format("needs {} from byte {} of the data file {}, which has {}",
                    Counted(*needed, "byte"), entries.offset,
                    Quoted(entries.location), Counted(file.size, "byte")),
        kOnlyOrtRefuses};
  }
  return std::nullopt;
}

const ExternalData::File& ExternalData::Look(const std::string& location) {
  const auto known = files_.find(location);
  if (known != files_.end()) return known->second;
  return files_.emplace(location, Examine(location)).first->second;
}

ExternalData::File ExternalData::Examine(const std::string& location) const {
  namespace fs = std::filesystem;
  const auto refuse = [&](std::string_view why, std::string note = "") {
    return File{
        Problem{fmt::format("its data file {} {}", Quoted(location), why),
                std::move(note)},
        0};
  };
  if (location.find('\0') != std::string::npos) return refuse("is no path");
  const fs::path plain = fs::path(location).lexically_normal();
  if (plain.is_absolute()) return refuse("is an absolute path");
  if (*plain.begin() == "..") return refuse("lies outside the model's folder");
  if (plain.native().find("..") != std::string::npos) {
    return refuse("has '..' in its name", kOrtTakesIt);
  }
  const std::string path = folder_ + "/" + plain.native();
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) {
    const bool stdin_model =
        model_.source == nullptr || model_.source->is_stdin();
    return refuse(errno == ENOENT || errno == ENOTDIR
                      ? "is not there"
                      : "can't be looked at: " + ErrnoText(),
                  stdin_model ? "looked up in the working folder" : "");
  }
  const bool inside = StaysInside(path);
  if (S_ISLNK(info.st_mode)) {
    return inside ? refuse("is a symbolic link",
                           "ONNX Runtime takes links that stay in the folder")
                  : refuse("is a symbolic link that leaves the model's folder");
  }
  if (!inside) return refuse("lies outside the model's folder, behind a link");
  if (!S_ISREG(info.st_mode)) return refuse("is no regular file");
  if (info.st_nlink > 1) {
    return refuse("has more than one hard link", kOrtTakesIt);
  }
  return {std::nullopt, static_cast<uint64_t>(info.st_size)};
}

bool ExternalData::StaysInside(const std::string& path) const {
  const std::string real = RealPath(path);
  return IsWithin(real_folder_, real) || IsWithin(target_folder_, real);
}

}  // namespace onnx_expose
