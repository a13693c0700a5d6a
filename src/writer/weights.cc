#include "writer/weights.h"

#include <fmt/format.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "model/tensors.h"
#include "onnx_expose/error.h"
#include "support/file.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

using onnx::TensorProto;

// What memory pages, and so what mmap wants.
constexpr uint64_t kDataAlignment = 4096;

// The field in which protobuf keeps numbers of this type byte for byte.
bool KeepsBytes(int field, int type) {
  switch (field) {
    case TensorProto::kRawDataFieldNumber:
      return type != TensorProto::STRING;
    case TensorProto::kFloatDataFieldNumber:
      return type == TensorProto::FLOAT || type == TensorProto::COMPLEX64;
    case TensorProto::kDoubleDataFieldNumber:
      return type == TensorProto::DOUBLE || type == TensorProto::COMPLEX128;
    default:
      return false;
  }
}

bool HasInlineData(const TensorProto& tensor) {
  return tensor.has_raw_data() || tensor.float_data_size() > 0 ||
         tensor.double_data_size() > 0 || tensor.int32_data_size() > 0 ||
         tensor.int64_data_size() > 0 || tensor.uint64_data_size() > 0 ||
         tensor.string_data_size() > 0;
}

// The payload, if its content is the tensor's bytes in memory and the tensor
// has no other data.
const Payload* BytesOf(const Skeleton& model, const TensorProto& tensor) {
  if (IsExternal(tensor) || tensor.has_segment() || HasInlineData(tensor)) {
    return nullptr;
  }
  const std::vector<const Payload*> payloads = PayloadsOf(model, tensor);
  if (payloads.size() != 1 || payloads[0]->content_offset == 0 ||
      !KeepsBytes(payloads[0]->field, tensor.data_type())) {
    return nullptr;
  }
  const std::optional<uint64_t> bytes = TensorBytes(tensor);
  return bytes.value_or(payloads[0]->content_size) == payloads[0]->content_size
             ? payloads[0]
             : nullptr;
}

void DropMarkers(TensorProto& tensor) {
  tensor.GetReflection()->MutableUnknownFields(&tensor)->DeleteByNumber(
      kPayloadField);
}

void SetExternal(TensorProto& tensor, const std::string& location,
                 uint64_t offset, uint64_t length) {
  DropMarkers(tensor);
  tensor.set_data_location(TensorProto::EXTERNAL);
  tensor.clear_external_data();
  const auto add = [&](const char* key, const std::string& value) {
    auto& entry = *tensor.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  };
  add("location", location);
  add("offset", std::to_string(offset));
  add("length", std::to_string(length));
}

std::string FileName(const std::string& path) {
  return std::filesystem::path(path).filename().native();
}

// kReference and kExternal.
void MoveOut(const Skeleton& model, const std::string& path, Weights mode,
             WeightsPlan& plan) {
  const bool reference = mode == Weights::kReference;
  const std::string location =
      FileName(reference ? RealPath(model.source->path()) : DataFileOf(path));
  for (const Payload& payload : model.payloads) {
    plan.report.inline_bytes += payload.size;
  }
  // Copies of a function share their payloads.
  std::map<const Payload*, uint64_t> offsets;
  ForEachMovableTensor(plan.model.proto, [&](TensorProto& tensor) {
    const Payload* payload = BytesOf(model, tensor);
    if (payload == nullptr) return;
    const uint64_t size = payload->content_size;
    const auto [place, is_new] =
        offsets.emplace(payload, payload->content_offset);
    if (is_new && !reference) {
      plan.data.spans.push_back({nullptr, payload->content_offset, size});
      place->second = AlignedOffset(plan.data.size);
      plan.data.size = place->second + size;
    }
    SetExternal(tensor, location, place->second, size);
    ++plan.report.moved;
    if (!is_new) return;
    plan.report.moved_bytes += size;
    plan.report.inline_bytes -= payload->size;
  });
}

// kInline.
class Inliner {
 public:
  Inliner(const Skeleton& model, WeightsPlan& plan)
      : model_(model), plan_(plan) {}

  void Run() {
    ForEachTensor(plan_.model.proto, [&](TensorProto& tensor) {
      if (IsExternal(tensor)) Tensor(tensor);
    });
  }

 private:
  void Tensor(TensorProto& tensor) {
    const DataFile& file = File(ExternalEntry(tensor, "location"));
    const FileSpan span = Span(tensor, file);
    tensor.clear_data_location();
    tensor.clear_external_data();
    // Data beside a location counts for nothing.
    tensor.clear_raw_data();
    tensor.clear_float_data();
    tensor.clear_double_data();
    tensor.clear_int32_data();
    tensor.clear_int64_data();
    tensor.clear_uint64_data();
    DropMarkers(tensor);
    tensor.GetReflection()->MutableUnknownFields(&tensor)->AddVarint(
        kPayloadField, model_.payloads.size() + plan_.inlined.size());
    plan_.inlined.push_back(span);
    ++plan_.report.moved;
    plan_.report.moved_bytes += span.size;
  }

  const DataFile& File(const std::string& location) {
    const auto [place, is_new] = files_.emplace(location, nullptr);
    if (is_new) {
      plan_.files.push_back(FindDataFile(model_, location, "read"));
      place->second = &plan_.files.back();
    }
    return *place->second;
  }

  FileSpan Span(const TensorProto& tensor, const DataFile& file) const {
    if (tensor.data_type() == TensorProto::STRING) {
      Fail(tensor, "is of strings, which can't be in a data file");
    }
    const uint64_t offset = Number(tensor, "offset");
    const uint64_t length = Number(tensor, "length");  // 0: not said
    const std::optional<uint64_t> bytes = TensorBytes(tensor);
    if (length != 0 && length != bytes.value_or(length)) {
      Fail(tensor,
           fmt::format("has {} in a data file and takes {}",
                       Counted(length, "byte"), Counted(*bytes, "byte")));
    }
    const uint64_t rest = file.size - std::min(file.size, offset);
    const uint64_t size = bytes.value_or(length != 0 ? length : rest);
    if (offset > file.size || size > rest) {
      Fail(tensor, fmt::format("needs {} from byte {} of the data file {}, "
                               "which has {}",
                               Counted(size, "byte"), offset,
                               Quoted(ExternalEntry(tensor, "location")),
                               Counted(file.size, "byte")));
    }
    return {&file, offset, size};
  }

  uint64_t Number(const TensorProto& tensor, const std::string& key) const {
    const std::string text = ExternalEntry(tensor, key);
    uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, number);
    if (!text.empty() && (problem != std::errc() || stop != end)) {
      Fail(tensor, fmt::format("has {} as the {} of its external data",
                               Quoted(text), key));
    }
    return number;
  }

  [[noreturn]] void Fail(const TensorProto& tensor,
                         const std::string& what) const {
    throw Error(ExitCode::kInput, model_.source->path(),
                {fmt::format("the tensor {} {}", Quoted(tensor.name()), what),
                 "", "see all problems with 'onnx-expose check'"});
  }

  const Skeleton& model_;
  WeightsPlan& plan_;
  std::map<std::string, const DataFile*> files_;
};

}  // namespace

uint64_t AlignedOffset(uint64_t end) {
  return (end + kDataAlignment - 1) / kDataAlignment * kDataAlignment;
}

WeightsPlan PlanWeights(const Skeleton& model, const std::string& path,
                        Weights weights) {
  WeightsPlan plan{model.Clone(), {}, {}, {}, {}};
  if (weights == Weights::kInline) {
    Inliner(model, plan).Run();
  } else if (weights != Weights::kCopy) {
    MoveOut(model, path, weights, plan);
  }
  return plan;
}

}  // namespace onnx_expose
