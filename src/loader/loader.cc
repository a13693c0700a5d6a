#include "onnx_expose/loader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "loader/byte_source.h"
#include "loader/file_kind.h"
#include "loader/scanner.h"
#include "loader/text_model.h"
#include "onnx_expose/error.h"
#include "support/file.h"

namespace onnx_expose {
namespace {

constexpr uint64_t kHead = 4096;
// A text model is read whole.
constexpr uint64_t kLargestText = uint64_t{1} << 30;

[[noreturn]] void Fail(const std::string& path, const std::string& what,
                       const std::string& note = "",
                       const std::string& hint = "") {
  throw Error(ExitCode::kInput, path, {what, note, hint});
}

// Pipes and devices can't be read twice or at an offset: their bytes go to a
// file without a name.
int Spool(int from, const std::string& path) {
  std::error_code error;
  const auto folder = std::filesystem::temp_directory_path(error);
  std::string name = (error ? "/tmp" : folder.string()) + "/onnx-expose-XXXXXX";
  const int to = ::mkostemp(name.data(), O_CLOEXEC);
  if (to < 0) Fail(path, fmt::format("no temporary file: {}", ErrnoText()));
  ::unlink(name.c_str());
  std::string buffer(size_t{1} << 20, '\0');
  while (true) {
    const ssize_t got = ::read(from, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    const bool failed =
        got < 0 ||
        (got > 0 && !WriteAll(to, {buffer.data(), static_cast<size_t>(got)}));
    if (failed) {
      const std::string why = ErrnoText();
      ::close(to);
      Fail(path, fmt::format("can't be read: {}", why));
    }
    if (got == 0) return to;
  }
}

std::shared_ptr<const InputFile> Open(const std::string& path) {
  int fd = path == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                       : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) Fail(path, fmt::format("can't be opened: {}", ErrnoText()));
  struct stat info {};
  if (::fstat(fd, &info) != 0) Fail(path, ErrnoText());
  if (S_ISDIR(info.st_mode)) {
    ::close(fd);
    Fail(path, "is a folder, not a model");
  }
  // Standard input that has been read from already goes the way of a pipe.
  const bool in_place =
      S_ISREG(info.st_mode) && (path != "-" || ::lseek(fd, 0, SEEK_CUR) == 0);
  if (!in_place) {
    const int spooled = Spool(fd, path);
    ::close(fd);
    fd = spooled;
  }
  return std::make_shared<InputFile>(fd, path);
}

bool Parse(const std::string& bytes, onnx::ModelProto& model) {
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const uint8_t*>(bytes.data()),
      static_cast<int>(bytes.size()));
  stream.SetTotalBytesLimit(INT_MAX);
  return model.ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage();
}

void RefuseWithoutGraph(const Skeleton& model, const std::string& path) {
  if (model.proto.has_graph()) return;
  Fail(path, "holds no graph, so it is no ONNX model",
       model.proto.ByteSizeLong() > 0
           ? "it may be a saved tensor or another protobuf message"
           : "");
}

}  // namespace

Skeleton LoadModel(const std::string& path) {
  Skeleton model;
  model.source = Open(path);
  if (model.source->size() == 0) Fail(path, "the file is empty (0 bytes)");

  ByteSource source(*model.source);
  std::string head;
  source.Append(0, std::min(kHead, model.source->size()), head);
  const FileKind kind = LookAt(head);
  if (!kind.stranger.empty()) {
    Fail(path, fmt::format("is {}, not an ONNX model", kind.stranger), "",
         std::string(kind.hint));
  }
  if (kind.text != TextKind::kNone) {
    if (model.source->size() > kLargestText) Fail(path, "text of over 1 GiB");
    std::string text;
    source.Append(0, model.source->size(), text);
    model.proto = ParseText(text, kind.text, path);
    model.from_text = true;
  } else {
    ScannedModel scanned = ScanModel(*model.source);
    if (!Parse(scanned.bytes, model.proto)) {
      Fail(path, "protobuf can't parse the file",
           "the file is damaged or is not an ONNX model");
    }
    model.payloads = std::move(scanned.payloads);
  }
  RefuseWithoutGraph(model, path);
  return model;
}

}  // namespace onnx_expose
