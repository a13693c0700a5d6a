#ifndef ONNX_EXPOSE_TENSOR_FILE_BYTES_H_
#define ONNX_EXPOSE_TENSOR_FILE_BYTES_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace onnx_expose {

// The bytes of a file, mapped where that can be and read elsewhere (a pipe).
struct FileBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
};

// Throws Error(kInput).
FileBytes MapFile(const std::string& path);

// How large an .npy is; no limit: it isn't there, or a file of another kind,
// which isn't mapped to be read.
uint64_t BytesToMap(const std::string& path);

// A part of a file. When its owner is gone its pages take no memory any more,
// although the file stays mapped.
FileBytes PartOf(const FileBytes& file, std::span<const std::byte> part);

// `bytes` won't be needed soon: if they are a part of a file that `owner` has
// mapped they take no memory until they are read again, which works as before.
// Nothing happens to other memory.
void ForgetPages(const std::shared_ptr<const void>& owner,
                 std::span<const std::byte> bytes);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_FILE_BYTES_H_
