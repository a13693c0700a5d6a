#include <map>
#include <utility>

#include "onnx_expose/report.h"

namespace onnx_expose {
namespace {

std::optional<Data> ReadSide(const DumpReader& reader,
                             const DumpedValue* value) {
  if (value == nullptr || value->file.empty()) return std::nullopt;
  return reader.Read(*value);
}

std::map<std::string, const DumpedValue*> ByName(const Manifest& manifest) {
  std::map<std::string, const DumpedValue*> found;
  for (const DumpedValue& value : manifest.values) {
    found.emplace(value.name, &value);
  }
  return found;
}

}  // namespace

ReportSubject::ReportSubject(std::vector<std::string> folders)
    : folders_(std::move(folders)) {
  for (const std::string& folder : folders_) {
    manifests_.push_back(ReadDump(folder));
    readers_.emplace_back(folder);
  }
  if (folders_.size() == 2) {
    Compare();
  } else {
    AddValues();
  }
}

ReportSubject::ReportSubject(std::string folder, Manifest so_far)
    : complete_(false) {
  folders_.push_back(std::move(folder));
  manifests_.push_back(std::move(so_far));
  readers_.emplace_back(folders_.front());
  AddValues();
}

void ReportSubject::AddValues() {
  for (const DumpedValue& value : manifests_.front().values) {
    values_.push_back({&value, nullptr, nullptr});
  }
}

void ReportSubject::Compare() {
  const auto a = OpenValues(folders_[0]);
  const auto b = OpenValues(folders_[1]);
  comparison_ = CompareValues(*a, *b, {});
  const auto named_a = ByName(manifests_[0]);
  const auto named_b = ByName(manifests_[1]);
  for (const ComparedValue& compared : comparison_->values) {
    const auto at_a = named_a.find(compared.name_a);
    const auto at_b = named_b.find(compared.name_b);
    values_.push_back({at_a == named_a.end() ? nullptr : at_a->second,
                       at_b == named_b.end() ? nullptr : at_b->second,
                       &compared});
  }
}

std::optional<Data> ReportSubject::ReadA(const Value& value) const {
  return ReadSide(readers_.front(), value.a);
}

std::optional<Data> ReportSubject::ReadB(const Value& value) const {
  return ReadSide(readers_.back(), value.b);
}

}  // namespace onnx_expose
