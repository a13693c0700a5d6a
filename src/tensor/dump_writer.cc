#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <set>
#include <utility>

#include "onnx_expose/dump.h"
#include "tensor/data_text.h"
#include "tensor/dump_folder.h"
#include "tensor/file_name.h"
#include "tensor/manifest.h"
#include "tensor/new_file.h"
#include "tensor/npy.h"
#include "tensor/npz.h"
#include "tensor/pb.h"
#include "tensor/sha256.h"
#include "tensor/write_behind.h"

namespace onnx_expose {
namespace {

// Less is written before a thread for it has begun.
constexpr uint64_t kWorthAThread = uint64_t{1} << 18;
// Dumps up to this size survive a power failure right after; for larger ones
// that would mean to wait for the disk.
constexpr uint64_t kLargestSynced = uint64_t{4} << 20;

uint64_t RoughSize(const Data& data) {
  uint64_t size = data.tensor.bytes.size() + 32 * data.tensor.strings.size();
  for (const Data& part : data.parts) size += RoughSize(part);
  return size;
}

}  // namespace

struct DumpWriter::State {
  State(std::string to, const DumpOptions& given)
      : folder(std::move(to)), options(given), writes(given.write_behind) {}

  std::string folder;
  DumpOptions options;
  std::deque<DumpedValue> values;  // a deque: references stay valid
  std::set<std::string> members;
  size_t inputs = 0;
  std::unique_ptr<ZipWriter> zip;   // kNpz: of all values
  std::atomic<uint64_t> bytes = 0;  // of files that are closed
  WriteBehind writes;

  void Place(DumpedValue& value, const Data& data);
  void Write(const DumpedValue& value, const Data& data);
};

// Decides which file a value goes to.
void DumpWriter::State::Place(DumpedValue& value, const Data& data) {
  value.file.clear();
  value.member.clear();
  if (options.stats_only || data.kind == Data::Kind::kNone) return;
  const std::string stem = FileStem(value.index, value.name, value.scope);
  const bool tensor = data.kind == Data::Kind::kTensor;
  if (options.format == DumpFormat::kPb || !FitsNpz(data)) {
    value.file = stem + ".pb";
  } else if (!tensor) {
    value.file = stem + ".npz";
  } else if (options.format == DumpFormat::kNpy) {
    value.file = stem + ".npy";
  } else {
    value.file = kValuesFile;
    value.member = MemberName(value.name, stem);
    // The same name in another scope.
    if (!members.insert(value.member).second) value.member = stem;
    members.insert(value.member);
  }
}

void DumpWriter::State::Write(const DumpedValue& value, const Data& data) {
  if (value.file.empty()) return;
  const std::string path = InFolder(folder, value.file);
  if (!value.member.empty()) {
    if (!zip) zip = std::make_unique<ZipWriter>(path, options.deflate);
    AddToNpz(data, value.member, *zip);
  } else if (value.file.ends_with(".npz")) {
    ZipWriter parts(path, options.deflate);
    AddToNpz(data, "", parts);
    parts.Finish();
    bytes += parts.size();
  } else {
    NewFile file(path);
    if (value.file.ends_with(".pb")) {
      WritePb(data, value.name, file);
    } else {
      WriteNpy(data.tensor, file);
    }
    file.Close();
    bytes += file.size();
  }
}

DumpWriter::DumpWriter(std::string folder, const DumpOptions& options)
    : state_(std::make_unique<State>(std::move(folder), options)) {
  OpenDumpFolder(state_->folder, options.force);
}

DumpWriter::~DumpWriter() = default;

const DumpedValue& DumpWriter::Add(DumpedValue given, const Data& data) {
  DumpedValue& value = state_->values.emplace_back(std::move(given));
  value.type = DataText(data, value.type);
  value.shape = data.tensor.shape;
  state_->Place(value, data);
  const uint64_t size = RoughSize(data);
  const bool beside = size >= kWorthAThread && !value.file.empty();
  if (beside) {
    state_->writes.Start(data, size, [this, &value](const Data& kept) {
      state_->Write(value, kept);
    });
  } else {
    state_->Write(value, data);
  }
  value.stats = ComputeStatistics(data);
  // A file of several values takes one at a time.
  const bool shared = !value.member.empty();
  if (beside && (shared || size > state_->options.write_behind)) {
    state_->writes.Wait();
  }
  return value;
}

DumpHeader::Input DumpWriter::AddInput(DumpHeader::Input input,
                                       const Data& data) {
  input.type = DataText(data, "");
  input.shape = data.tensor.shape;
  input.sha256 = Sha256(data.tensor.bytes);
  if (state_->options.stats_only || data.kind == Data::Kind::kNone) {
    return input;
  }
  // A file of its own in every format: inputs are few, and values.npz is of
  // values.
  DumpedValue value;
  value.name = input.name;
  const bool tensor = data.kind == Data::Kind::kTensor;
  const bool as_pb =
      state_->options.format == DumpFormat::kPb || !FitsNpz(data);
  value.file = InputStem(state_->inputs++, input.name) + (as_pb    ? ".pb"
                                                          : tensor ? ".npy"
                                                                   : ".npz");
  state_->Write(value, data);
  input.file = value.file;
  return input;
}

uint64_t DumpWriter::bytes_written() const {
  return state_->bytes + (state_->zip ? state_->zip->size() : 0);
}

Manifest DumpWriter::Finish(const DumpHeader& header) {
  state_->writes.Wait();
  Manifest manifest;
  static_cast<DumpHeader&>(manifest) = header;
  manifest.values.assign(std::make_move_iterator(state_->values.begin()),
                         std::make_move_iterator(state_->values.end()));
  std::stable_sort(
      manifest.values.begin(), manifest.values.end(),
      [](const auto& a, const auto& b) { return a.index < b.index; });
  if (state_->zip) state_->zip->Finish();
  NewFile csv(InFolder(state_->folder, kStatisticsFile));
  csv.Write(StatisticsCsv(manifest));
  csv.Close();
  CompleteDumpFolder(state_->folder, ManifestText(manifest),
                     bytes_written() <= kLargestSynced);
  return manifest;
}

}  // namespace onnx_expose
