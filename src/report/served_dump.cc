#include "report/served_dump.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <charconv>
#include <utility>

#include "report/html_page.h"
#include "report/page_data.h"
#include "report/slice.h"
#include "support/json.h"
#include "tensor/byte_sink.h"
#include "tensor/dump_folder.h"
#include "tensor/npy.h"

namespace onnx_expose {
namespace {

constexpr uint64_t kBudget = 1 << 16;  // elements of a picture

class StringSink : public ByteSink {
 public:
  using ByteSink::Write;
  void Write(std::string_view bytes) override { text += bytes; }
  std::string text;
};

Answer JsonAnswer(const Json& json) {
  return {200, "application/json", JsonText(json, -1)};
}

// The number that a path ends with, below `count`.
std::optional<size_t> IdIn(std::string_view path, std::string_view prefix,
                           size_t count) {
  if (!path.starts_with(prefix)) return {};
  const std::string_view digits = path.substr(prefix.size());
  size_t id = 0;
  const char* end = digits.data() + digits.size();
  const auto [behind, error] = std::from_chars(digits.data(), end, id);
  if (digits.empty() || error != std::errc() || behind != end) return {};
  if (id >= count) return {};
  return id;
}

}  // namespace

ServedDump::ServedDump(std::vector<std::string> folders)
    : folders_(std::move(folders)), running_(folders_.front()) {
  Refresh();
}

std::string ServedDump::Mark() const {
  std::string mark;
  for (const std::string& folder : folders_) {
    struct stat info {};
    if (::stat(InFolder(folder, kManifestFile).c_str(), &info) == 0) {
      mark += fmt::format("{} {} {};", info.st_ino, info.st_mtim.tv_sec,
                          info.st_mtim.tv_nsec);
    }
  }
  return mark;
}

void ServedDump::Refresh() {
  if (folders_.size() == 1 && IsIncompleteDump(folders_.front())) {
    mark_.clear();
    subject_.emplace(folders_.front(), running_.Look());
    return;
  }
  std::string mark = Mark();
  if (subject_ && mark == mark_) return;
  subject_.emplace(folders_);
  mark_ = std::move(mark);
}

Answer ServedDump::Get(std::string_view path, const std::string& slice,
                       bool reference) {
  try {
    Refresh();
    const ReportSubject& subject = *subject_;
    const auto& values = subject.values();
    if (path == "/") {
      return {200, "text/html; charset=utf-8",
              HtmlPage(JsonText(OverviewJson(subject), -1), /*live=*/true)};
    }
    if (path == "/api/manifest") return JsonAnswer(OverviewJson(subject));
    if (const auto id = IdIn(path, "/layer/", values.size())) {
      return Layer(values[*id]);
    }
    if (const auto id = IdIn(path, "/api/values/", values.size())) {
      return Elements(values[*id], slice, reference);
    }
    return Refusal(404, "there is nothing at this address");
  } catch (const Error& error) {
    return Refusal(500, error.message().what);
  }
}

Answer ServedDump::Layer(const ReportSubject::Value& value) const {
  Json json = ValueJson(value);
  json["elements"] = ElementsJson(*subject_, value, kBudget);
  return JsonAnswer(json);
}

Answer ServedDump::Elements(const ReportSubject::Value& value,
                            const std::string& slice, bool reference) const {
  const std::optional<Data> data =
      reference ? subject_->ReadB(value) : subject_->ReadA(value);
  if (!data) return Refusal(404, "no elements are stored of this value");
  if (data->kind != Data::Kind::kTensor) {
    return Refusal(404, "not a tensor");
  }
  Tensor tensor = data->tensor;
  if (!slice.empty()) {
    std::optional<Tensor> part = Slice(tensor, slice);
    if (!part) return Refusal(400, "no slice of this tensor");
    tensor = std::move(*part);
  }
  if (!FitsNpy(tensor)) return Refusal(404, "no tensor for an npy file");
  StringSink sink;
  WriteNpy(tensor, sink);
  return {200, "application/octet-stream", std::move(sink.text)};
}

}  // namespace onnx_expose
