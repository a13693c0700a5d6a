#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "compare/folder_source.h"
#include "onnx_expose/compare.h"
#include "support/text.h"
#include "tensor/dump_folder.h"

namespace onnx_expose {
namespace {

namespace fs = std::filesystem;

bool Exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// Dumps of `run`, one for each set of inputs.
class DumpSource : public ValueSource {
 public:
  explicit DumpSource(std::string path) : path_(std::move(path)) {}

  void Add(const std::string& folder, const std::string& set) {
    sets_.push_back({DumpReader(folder), ReadDump(folder)});
    const std::vector<DumpedValue>& values = sets_.back().manifest.values;
    for (size_t i = 0; i < values.size(); ++i) {
      Entry entry;
      entry.name = values[i].name;
      entry.set = set;
      entry.type = values[i].type;
      entry.op_type = values[i].op_type;
      entry.node = values[i].node;
      entry.scope = values[i].scope;
      entry.index = static_cast<int>(entries_.size());
      entry.inputs = values[i].inputs;
      entries_.push_back(std::move(entry));
      places_.emplace_back(sets_.size() - 1, i);
    }
  }

  const std::string& path() const override { return path_; }
  const std::vector<Entry>& entries() const override { return entries_; }
  Data Read(size_t entry) const override {
    return sets_[places_[entry].first].reader.Read(ValueOf(entry));
  }
  uint64_t BytesOf(size_t entry) const override {
    return sets_[places_[entry].first].reader.BytesOf(ValueOf(entry));
  }
  const Statistics* StatisticsOf(size_t entry) const override {
    return &ValueOf(entry).stats;
  }
  bool HasData(size_t entry) const override {
    const DumpedValue& value = ValueOf(entry);
    return !value.file.empty() || value.type.starts_with("optional(");
  }
  std::vector<const Manifest*> manifests() const override {
    std::vector<const Manifest*> manifests;
    for (const Set& set : sets_) manifests.push_back(&set.manifest);
    return manifests;
  }

 private:
  const DumpedValue& ValueOf(size_t entry) const {
    const auto& [set, value] = places_[entry];
    return sets_[set].manifest.values[value];
  }

  struct Set {
    DumpReader reader;
    Manifest manifest;
  };
  std::string path_;
  std::vector<Set> sets_;
  std::vector<Entry> entries_;
  std::vector<std::pair<size_t, size_t>> places_;  // set, value
};

std::unique_ptr<ValueSource> OpenDumps(
    const std::string& path, const std::vector<std::string>& folders) {
  auto source = std::make_unique<DumpSource>(path);
  for (const std::string& folder : folders) {
    source->Add(folder,
                folder == path ? "" : fs::path(folder).filename().string());
  }
  return source;
}

}  // namespace

std::unique_ptr<ValueSource> OpenValues(const std::string& path) {
  std::error_code ignored;
  if (!Exists(path)) {
    throw Error(ExitCode::kInput, path, {"there is no such file", "", ""});
  }
  if (!fs::is_directory(path, ignored)) {
    auto source = std::make_unique<FileSource>(path);
    source->Add(path, "");
    return source;
  }
  const std::vector<std::string> dumps = DumpFolders(path);
  if (!dumps.empty()) return OpenDumps(path, dumps);
  if (Exists(InFolder(path, "output_0.pb"))) return OpenTestData(path);
  return OpenFolder(path);
}

}  // namespace onnx_expose
