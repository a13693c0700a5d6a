#ifndef ONNX_EXPOSE_LOADER_BYTE_SOURCE_H_
#define ONNX_EXPOSE_LOADER_BYTE_SOURCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "onnx_expose/skeleton.h"

namespace onnx_expose {

// The bytes of a model file by offset, through one window of fixed size: what
// is skipped is never read.
class ByteSource {
 public:
  explicit ByteSource(const InputFile& file) : file_(file) {}

  uint64_t size() const { return file_.size(); }
  const std::string& path() const { return file_.path(); }

  // The byte at `offset`, which must be below size().
  uint8_t At(uint64_t offset) {
    if (offset - start_ >= filled_) Fill(offset);
    return static_cast<uint8_t>(window_[offset - start_]);
  }

  // Appends `size` bytes from `offset` to `out`.
  void Append(uint64_t offset, uint64_t size, std::string& out);

 private:
  void Fill(uint64_t offset);
  [[noreturn]] void FailRead(uint64_t offset) const;

  const InputFile& file_;
  std::vector<char> window_;
  uint64_t start_ = 0;
  uint64_t filled_ = 0;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_LOADER_BYTE_SOURCE_H_
