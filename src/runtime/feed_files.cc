#include "runtime/feed_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "onnx_expose/element_types.h"
#include "onnx_expose/tensor_files.h"
#include "support/text.h"
#include "tensor/image.h"

namespace onnx_expose {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNpz = ".npz";

Tensor ReadMember(const InputInfo& input, const FeedFile& file) {
  const NpzFile npz(file.path);
  if (!file.member.empty()) return npz.Read(file.member);
  const std::vector<std::string> members = npz.Members();
  if (std::find(members.begin(), members.end(), input.name) != members.end()) {
    return npz.Read(input.name);
  }
  if (members.size() == 1) return npz.Read(members.front());
  throw Error(
      ExitCode::kInput, file.path,
      {fmt::format("no member is named {}", Quoted(input.name)),
       members.empty() ? "the file is empty" : "there is " + NameList(members),
       fmt::format("name one: --input '{}={}:MEMBER'", Printable(input.name),
                   Printable(file.path))});
}

// The one dim that is free, from the size of the file.
void FillFreeDim(const FeedFile& file, int type, std::vector<int64_t>& shape) {
  const auto free = std::find(shape.begin(), shape.end(), -1);
  if (free == shape.end() || std::count(free, shape.end(), -1) > 1) return;
  std::error_code problem;
  const uint64_t bytes = fs::file_size(file.path, problem);
  *free = 1;
  const uint64_t each = DataBytes(type, ElementCount(shape));
  const bool is_multiple = !problem && each > 0 && bytes % each == 0;
  *free = is_multiple ? static_cast<int64_t>(bytes / each) : -1;
}

Tensor ReadBytes(const InputInfo& input, const FeedFile& file,
                 std::vector<int64_t> shape, bool is_known) {
  if (input.kind != InputInfo::Kind::kTensor ||
      ElementBits(input.element_type) == 0) {
    throw Error(ExitCode::kInput, file.path,
                {fmt::format("raw bytes can't be the input {}, which is {}",
                             Quoted(input.name), Printable(input.type)),
                 "", ".npy, .npz and .pb are read as such"});
  }
  FillFreeDim(file, input.element_type, shape);
  if (!is_known || std::count(shape.begin(), shape.end(), -1) > 0) {
    throw Error(
        ExitCode::kInput, file.path,
        {fmt::format("raw bytes for the input {}, which is {}, need a "
                     "shape",
                     Quoted(input.name), Printable(input.type)),
         "", fmt::format("--shape '{}=1,3,224,224'", Printable(input.name))});
  }
  return ReadRaw(file.path, input.element_type, shape);
}

Tensor ReadImage(const InputInfo& input, const FeedFile& file,
                 const std::optional<std::vector<int64_t>>& known,
                 const FeedOptions& options) {
  if (input.kind != InputInfo::Kind::kTensor || !known) {
    throw Error(ExitCode::kInput, file.path,
                {fmt::format("a picture can't be the input {}, which is {}",
                             Quoted(input.name), Printable(input.type)),
                 "",
                 input.kind == InputInfo::Kind::kTensor
                     ? fmt::format("--shape '{}=1,3,224,224' gives it a shape",
                                   Printable(input.name))
                     : ""});
  }
  return ReadPicture(file.path,
                     {input.element_type, *known, options.mean, options.scale});
}

}  // namespace

std::string FeedFile::Text() const {
  return member.empty() ? path : path + ":" + member;
}

FeedFile ParseFeedFile(const std::string& text) {
  const size_t colon = text.find(std::string(kNpz) + ":");
  std::error_code ignored;
  if (colon == std::string::npos || fs::exists(text, ignored)) {
    return {text, ""};
  }
  const size_t end = colon + kNpz.size();
  return {text.substr(0, end), text.substr(end + 1)};
}

FeedFileKind KindOfFeedFile(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (extension == ".npy") return FeedFileKind::kNpy;
  if (extension == kNpz) return FeedFileKind::kNpz;
  if (extension == ".pb") return FeedFileKind::kPb;
  if (extension == ".png" || extension == ".jpg" || extension == ".jpeg") {
    return FeedFileKind::kPicture;
  }
  return FeedFileKind::kRaw;
}

bool HasShape(FeedFileKind kind) {
  return kind != FeedFileKind::kPicture && kind != FeedFileKind::kRaw;
}

Data ReadFeedFile(const InputInfo& input, const FeedFile& file,
                  const std::optional<std::vector<int64_t>>& known,
                  const FeedOptions& options) {
  Data data;
  switch (KindOfFeedFile(file.path)) {
    case FeedFileKind::kNpy:
      data.tensor = ReadNpy(file.path);
      break;
    case FeedFileKind::kNpz:
      data.tensor = ReadMember(input, file);
      break;
    case FeedFileKind::kPb:
      return ReadPb(file.path, input.type, nullptr);
    case FeedFileKind::kPicture:
      data.tensor = ReadImage(input, file, known, options);
      break;
    case FeedFileKind::kRaw:
      data.tensor =
          ReadBytes(input, file, known.value_or(std::vector<int64_t>()),
                    known.has_value());
      break;
  }
  return data;
}

}  // namespace onnx_expose
