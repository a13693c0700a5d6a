#include "compare/folder_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "support/text.h"
#include "tensor/file_bytes.h"

namespace onnx_expose {
namespace {

namespace fs = std::filesystem;

Data TensorData(Tensor tensor) {
  Data data;
  data.tensor = std::move(tensor);
  return data;
}

}  // namespace

void FileSource::AddEntry(const std::string& name, Place place) {
  if (!names_.insert(name).second) {
    throw Error(ExitCode::kInput, place.file,
                {fmt::format("a second value with the name {}", Quoted(name)),
                 "", "compare the files one by one"});
  }
  Entry entry;
  entry.name = name;
  entries_.push_back(std::move(entry));
  places_.push_back(std::move(place));
}

void FileSource::Add(const std::string& file, const std::string& name) {
  if (!file.ends_with(".npz")) return AddEntry(name, {file, "", nullptr});
  const auto npz = std::make_shared<const NpzFile>(file);
  for (const std::string& member : npz->Members()) {
    AddEntry(member, {file, member, npz});
  }
}

uint64_t FileSource::BytesOf(size_t entry) const {
  const Place& place = places_[entry];
  return place.npz ? place.npz->BytesOf(place.member) : BytesToMap(place.file);
}

Data FileSource::Read(size_t entry) const {
  const Place& place = places_[entry];
  if (place.npz) return TensorData(place.npz->Read(place.member));
  if (place.file.ends_with(".npy")) return TensorData(ReadNpy(place.file));
  return ReadPb(place.file, "", nullptr);
}

std::unique_ptr<FileSource> OpenTestData(const std::string& folder) {
  auto source = std::make_unique<FileSource>(folder);
  for (size_t i = 0;; ++i) {
    const std::string number = fmt::format("output_{}", i);
    const std::string file = (fs::path(folder) / (number + ".pb")).string();
    std::error_code ignored;
    if (!fs::exists(file, ignored)) break;
    std::string name;
    ReadPb(file, "", &name);
    source->Add(file, name.empty() ? number : name);
  }
  return source;
}

std::unique_ptr<FileSource> OpenFolder(const std::string& folder) {
  std::vector<fs::path> files;
  try {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const fs::path extension = entry.path().extension();
      const bool tensor =
          extension == ".npy" || extension == ".npz" || extension == ".pb";
      if (tensor && entry.is_regular_file()) files.push_back(entry.path());
    }
  } catch (const fs::filesystem_error& problem) {
    throw Error(ExitCode::kInput, folder,
                {"can't read the folder: " + problem.code().message(), "", ""});
  }
  std::sort(files.begin(), files.end());
  auto source = std::make_unique<FileSource>(folder);
  for (const fs::path& file : files) {
    fs::path name = file.lexically_relative(folder);
    name.replace_extension();
    source->Add(file.string(), name.string());
  }
  if (files.empty()) {
    throw Error(
        ExitCode::kInput, folder,
        {"holds no values",
         "there is no manifest.json and no .npy, .npz or .pb in it", ""});
  }
  return source;
}

}  // namespace onnx_expose
