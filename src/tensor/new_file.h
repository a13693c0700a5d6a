#ifndef ONNX_EXPOSE_TENSOR_NEW_FILE_H_
#define ONNX_EXPOSE_TENSOR_NEW_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "tensor/byte_sink.h"

namespace onnx_expose {

// A file that isn't there yet. Everything throws Error(kOutput) that names it.
class NewFile : public ByteSink {
 public:
  explicit NewFile(std::string path);
  ~NewFile() override;
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  using ByteSink::Write;
  // Straight from memory, however large.
  void Write(std::string_view bytes) override;
  // Replaces bytes that are there already.
  void Patch(uint64_t offset, std::string_view bytes);
  // The destructor closes too, but nobody would hear of a failure.
  void Close();
  uint64_t size() const { return size_; }

 private:
  std::string path_;
  int fd_ = -1;
  uint64_t size_ = 0;
};

// The error for what errno says about writing `path`.
[[noreturn]] void FailToWrite(const std::string& path);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_NEW_FILE_H_
