#include "onnx_expose/skeleton.h"

#include <google/protobuf/unknown_field_set.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "onnx_expose/element_types.h"

namespace onnx_expose {

namespace {

int64_t ChangedNs(const struct stat& info) {
  return int64_t{info.st_mtim.tv_sec} * 1000000000 + info.st_mtim.tv_nsec;
}

}  // namespace

InputFile::InputFile(int fd, std::string path)
    : fd_(fd), path_(std::move(path)) {
  struct stat info {};
  if (::fstat(fd_, &info) != 0) return;  // an empty file, then
  size_ = static_cast<uint64_t>(info.st_size);
  device_ = info.st_dev;
  inode_ = info.st_ino;
  changed_ns_ = ChangedNs(info);
}

bool InputFile::HasChanged() const {
  struct stat info {};
  return ::fstat(fd_, &info) != 0 ||
         static_cast<uint64_t>(info.st_size) != size_ ||
         ChangedNs(info) != changed_ns_;
}

InputFile::~InputFile() { ::close(fd_); }

google::protobuf::ArenaOptions ModelArena() {
  google::protobuf::ArenaOptions options;
  options.max_block_size = size_t{1} << 20;
  return options;
}

Skeleton::Skeleton()
    : arena_(std::make_unique<google::protobuf::Arena>(ModelArena())),
      proto(*google::protobuf::Arena::CreateMessage<onnx::ModelProto>(
          arena_.get())) {}

Skeleton Skeleton::Clone() const {
  Skeleton copy;
  copy.proto = proto;
  copy.payloads = payloads;
  copy.source = source;
  copy.from_text = from_text;
  return copy;
}

std::vector<const Payload*> PayloadsOf(const Skeleton& model,
                                       const google::protobuf::Message& part) {
  std::vector<const Payload*> found;
  if (model.payloads.empty()) return found;
  const auto& fields = part.GetReflection()->GetUnknownFields(part);
  for (int i = 0; i < fields.field_count(); ++i) {
    if (fields.field(i).number() != kPayloadField) continue;
    found.push_back(&model.payloads.at(fields.field(i).varint()));
  }
  return found;
}

std::optional<uint64_t> TensorBytes(const onnx::TensorProto& tensor) {
  const int bits = ElementBits(tensor.data_type());
  if (bits == 0) return std::nullopt;
  uint64_t count = 1;
  for (const int64_t dim : tensor.dims()) {
    if (dim < 0 ||
        __builtin_mul_overflow(count, static_cast<uint64_t>(dim), &count)) {
      return std::nullopt;
    }
  }
  uint64_t total = 0;
  if (__builtin_mul_overflow(count, static_cast<uint64_t>(bits), &total) ||
      total > UINT64_MAX - 7) {
    return std::nullopt;
  }
  return (total + 7) / 8;
}

}  // namespace onnx_expose
