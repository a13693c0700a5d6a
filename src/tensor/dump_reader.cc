#include <fmt/format.h>
#include <sys/stat.h>

#include <functional>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx_expose/dump.h"
#include "onnx_expose/element_types.h"
#include "onnx_expose/tensor_files.h"
#include "support/text.h"
#include "tensor/data_text.h"
#include "tensor/dump_folder.h"
#include "tensor/file_bytes.h"
#include "tensor/format_error.h"
#include "tensor/manifest.h"
#include "tensor/npy.h"
#include "tensor/npz.h"
#include "tensor/packing.h"

namespace onnx_expose {
namespace {

// Packed types and those that numpy doesn't have, from the integers that stand
// for them in an npy file.
void Restore(Tensor& tensor, int type) {
  if (tensor.type == type) return;
  if (type == 0 || NpyDescr(type) != NpyDescr(tensor.type)) {
    throw FormatError(fmt::format("holds {} where the manifest says {}",
                                  ElementName(tensor.type), ElementName(type)));
  }
  if (IsPacked(type)) {
    tensor = MakeTensor(type, tensor.shape, Pack(type, tensor.bytes));
  } else {
    tensor.type = type;
  }
}

Data RestoredTensor(Tensor tensor, const DumpedValue& value) {
  Restore(tensor, ElementAt(value.type, 0));
  if (tensor.shape != value.shape) {
    throw FormatError(
        fmt::format("holds shape [{}] where the manifest says [{}]",
                    Joined(tensor.shape, ","), Joined(value.shape, ",")));
  }
  Data data;
  data.tensor = std::move(tensor);
  return data;
}

// `at`: where the types of the two stand in the value's type.
void RestoreMap(Data& map, const std::string& type, size_t at) {
  Restore(map.parts[0].tensor, ElementAt(type, at));
  Restore(map.parts[1].tensor, ElementAt(type, type.find(',', at) + 1));
}

Data ReadParts(const std::string& path, const DumpedValue& value) {
  constexpr std::string_view kSequence = "seq(";
  constexpr std::string_view kMap = "map(";
  const std::string& type = value.type;
  const ZipReader zip(MapFile(path));
  if (type.starts_with(kMap)) {
    Data map = MapFromNpz(zip);
    RestoreMap(map, type, kMap.size());
    return map;
  }
  Data sequence = SequenceFromNpz(zip);
  sequence.element_type = ElementAt(type, kSequence.size());
  for (Data& part : sequence.parts) {
    if (part.kind == Data::Kind::kMap) {
      RestoreMap(part, type, kSequence.size() + kMap.size());
    } else {
      Restore(part.tensor, sequence.element_type);
    }
  }
  return sequence;
}

// An optional that is none, or what --stats-only left.
Data NothingStored(const std::string& folder, const DumpedValue& value) {
  if (!value.type.starts_with("optional(")) {
    throw Error(ExitCode::kInput, folder,
                {fmt::format("has statistics of {} and not its elements",
                             Quoted(value.name)),
                 "", "run it again without --stats-only"});
  }
  Data none;
  none.kind = Data::Kind::kNone;
  return none;
}

bool Exists(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0;
}

}  // namespace

Manifest ReadDump(const std::string& folder) {
  const std::string path = InFolder(folder, kManifestFile);
  if (!Exists(path)) {
    if (Exists(InFolder(folder, kIncompleteFile))) {
      throw Error(ExitCode::kInput, folder,
                  {"the dump is incomplete",
                   "the run that wrote it was stopped before its end",
                   "run it again with --force"});
    }
    const std::vector<std::string> sets = DumpFolders(folder);
    if (!sets.empty()) {
      throw Error(ExitCode::kInput, folder,
                  {"holds the dumps of " + Counted(sets.size(), "data set"), "",
                   "name one of them: " + Printable(sets.front())});
    }
    throw Error(ExitCode::kInput, folder,
                {"is no dump",
                 Exists(folder) ? "there is no manifest.json in it"
                                : "there is no such folder",
                 "onnx-expose run MODEL -o DIR makes one"});
  }
  const FileBytes file = MapFile(path);
  return ParseManifest(
      {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()},
      path);
}

struct DumpReader::Archives {
  std::mutex mutex;
  std::map<std::string, NpzFile, std::less<>> by_path;

  const NpzFile& At(const std::string& path) {
    const std::lock_guard lock(mutex);
    auto found = by_path.find(path);
    if (found == by_path.end()) {
      found = by_path.emplace(path, NpzFile(path)).first;
    }
    return found->second;
  }
};

DumpReader::DumpReader(std::string folder)
    : folder_(std::move(folder)), archives_(std::make_shared<Archives>()) {}

Data DumpReader::Read(const DumpedValue& value) const {
  if (value.file.empty()) return NothingStored(folder_, value);
  const std::string path = InFolder(folder_, value.file);
  if (value.file.ends_with(".pb")) {
    Data data = ReadPb(path, value.type, nullptr);
    if (data.kind != Data::Kind::kTensor) return data;
    return InFile(path, "", [&] {
      return RestoredTensor(std::move(data.tensor), value);
    });
  }
  if (!value.member.empty()) {
    Tensor tensor = archives_->At(path).Read(value.member);
    return InFile(path, fmt::format("member {}: ", Quoted(value.member)),
                  [&] { return RestoredTensor(std::move(tensor), value); });
  }
  return InFile(path, "", [&] {
    if (value.file.ends_with(".npz")) return ReadParts(path, value);
    return RestoredTensor(ParseNpy(MapFile(path)), value);
  });
}

uint64_t DumpReader::BytesOf(const DumpedValue& value) const {
  const std::string path = InFolder(folder_, value.file);
  return value.member.empty() ? BytesToMap(path)
                              : archives_->At(path).BytesOf(value.member);
}

Data ReadDumpedInput(const std::string& folder,
                     const DumpHeader::Input& input) {
  DumpedValue value;
  value.name = input.name;
  value.type = input.type;
  value.shape = input.shape;
  value.file = input.file;
  return DumpReader(folder).Read(value);
}

std::optional<Data> ReadDumpedInput(const std::string& folder,
                                    const DumpHeader& header,
                                    const std::string& name) {
  for (const DumpHeader::Input& input : header.inputs) {
    if (input.name == name && !input.file.empty()) {
      return ReadDumpedInput(folder, input);
    }
  }
  return {};
}

}  // namespace onnx_expose
