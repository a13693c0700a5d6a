#include "tests/support/model_files.h"

#include <onnx/defs/parser.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "onnx_expose/loader.h"
#include "support/file.h"
#include "writer/splice.h"

namespace onnx_expose::testing {
namespace {

namespace fs = std::filesystem;

void Require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  // Tests write thousands of files, and synced ones at that.
  const fs::path memory = "/dev/shm";
  const fs::path base =
      ::access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path();
  path_ = (base / "onnx-expose-test-XXXXXX").string();
  Require(::mkdtemp(path_.data()) != nullptr, "no folder " + path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

std::string TemporaryFolder::operator/(std::string_view name) const {
  return path_ + "/" + std::string(name);
}

void WriteFile(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  Require(file.flush().good(), "can't write " + path);
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Require(file.good(), "can't read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string Bytes(const onnx::ModelProto& model) {
  std::string bytes;
  Require(model.SerializePartialToString(&bytes), "can't be serialised");
  return bytes;
}

onnx::ModelProto Parsed(const std::string& bytes) {
  onnx::ModelProto model;
  Require(model.ParseFromString(bytes), "can't be parsed");
  return model;
}

onnx::ModelProto FromText(const std::string& text) {
  onnx::ModelProto model;
  onnx::OnnxParser parser(text.c_str());
  const auto status = parser.Parse(model);
  Require(status.IsOK(), status.ErrorMessage());
  return model;
}

std::shared_ptr<const InputFile> MemoryFile(std::string_view bytes) {
  const int fd = ::memfd_create("model", MFD_CLOEXEC);
  Require(fd >= 0, "no memory file");
  const auto size = static_cast<ssize_t>(bytes.size());
  Require(::write(fd, bytes.data(), bytes.size()) == size, "memory is full");
  return std::make_shared<InputFile>(fd, "/proc/self/fd/" + std::to_string(fd));
}

Skeleton Load(std::string_view bytes) {
  return LoadModel(MemoryFile(bytes)->path());
}

std::string Written(const Skeleton& model) {
  const SplicedModel spliced = Splice(model);
  std::string bytes;
  for (const auto& piece : spliced.pieces) {
    bytes += piece.bytes;
    if (!piece.bytes.empty()) continue;
    std::string payload(piece.span.size, '\0');
    Require(ReadAt(model.source->fd(), piece.span.offset, payload.data(),
                   payload.size()),
            "a payload outside the file");
    bytes += payload;
  }
  Require(bytes.size() == spliced.size, "another size than announced");
  return bytes;
}

std::string Expose(const std::string& bytes, ExposeRequest request,
                   ExposeReport* report) {
  const TemporaryFolder folder;
  request.model = folder / "model.onnx";
  request.output = folder / "debug.onnx";
  WriteFile(request.model, bytes);
  ExposeReport done = ExposeModel(request);
  if (report != nullptr) *report = std::move(done);
  return ReadFile(request.output);
}

std::string Strip(const std::string& bytes) {
  const TemporaryFolder folder;
  StripRequest request;
  request.model = folder / "debug.onnx";
  request.output = folder / "model.onnx";
  WriteFile(request.model, bytes);
  StripModel(request);
  return ReadFile(request.output);
}

}  // namespace onnx_expose::testing
