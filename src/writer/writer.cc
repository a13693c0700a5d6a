#include "onnx_expose/writer.h"

#include <fmt/format.h>

#include <cerrno>
#include <climits>
#include <string>

#include "onnx_expose/error.h"
#include "support/file.h"
#include "support/text.h"
#include "writer/data_files.h"
#include "writer/splice.h"
#include "writer/target.h"

namespace onnx_expose {
namespace {

// Small pieces are gathered; larger ones are not worth another copy.
constexpr size_t kGather = size_t{1} << 20;
constexpr uint64_t kSmallPayload = uint64_t{1} << 14;

class PieceWriter {
 public:
  PieceWriter(const InputFile& source, int fd) : source_(source), fd_(fd) {}

  // False: errno says why.
  bool Write(const SplicedModel& model) {
    for (const auto& piece : model.pieces) {
      if (piece.payload == nullptr ? !Bytes(piece.bytes)
                                   : !FromSource(*piece.payload)) {
        return false;
      }
    }
    return Flush();
  }

 private:
  bool Bytes(std::string_view bytes) {
    if (buffer_.size() + bytes.size() > kGather && !Flush()) return false;
    if (bytes.size() > kGather) return WriteAll(fd_, bytes);
    buffer_.append(bytes);
    return true;
  }

  bool FromSource(const Payload& payload) {
    if (payload.size <= kSmallPayload) {
      std::string bytes(payload.size, '\0');
      if (!ReadAt(source_.fd(), payload.offset, bytes.data(), bytes.size())) {
        return false;
      }
      return Bytes(bytes);
    }
    return Flush() &&
           CopyRange(source_.fd(), payload.offset, payload.size, fd_);
  }

  bool Flush() {
    const bool written = WriteAll(fd_, buffer_);
    buffer_.clear();
    return written;
  }

  const InputFile& source_;
  int fd_;
  std::string buffer_;
};

void RefuseTooLarge(const Skeleton& model, const std::string& path,
                    uint64_t size) {
  if (size <= INT_MAX || model.source->size() > INT_MAX) return;
  throw Error(ExitCode::kOutput, path,
              {fmt::format("the result is {}, and protobuf reads no file over "
                           "2 GiB",
                           ByteText(size)),
               "",
               "keep the weights in a file of their own with "
               "--weights external"});
}

// A model that changes while it is copied would give a silently wrong result.
bool Unchanged(const InputFile& source) {
  if (!source.HasChanged()) return true;
  throw Error(ExitCode::kInput, source.path(),
              {"the file changed while it was read", "", "try again"});
}

}  // namespace

void WriteModel(const Skeleton& model, const std::string& path,
                const WriteOptions& options) {
  CheckTarget(model, path, options);
  const SplicedModel spliced = Splice(model);
  RefuseTooLarge(model, path, spliced.size);
  CopiedFiles data(model, path, options);
  WriteTarget(path, options.force, spliced.size, [&](int fd) {
    return PieceWriter(*model.source, fd).Write(spliced) &&
           Unchanged(*model.source);
  });
  data.Keep();
}

void CopyModel(const Skeleton& model, const std::string& path,
               const WriteOptions& options) {
  CheckTarget(model, path, options);
  CopiedFiles data(model, path, options);
  WriteTarget(path, options.force, model.source->size(), [&](int fd) {
    return CopyRange(model.source->fd(), 0, model.source->size(), fd) &&
           Unchanged(*model.source);
  });
  data.Keep();
}

}  // namespace onnx_expose
