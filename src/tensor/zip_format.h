#ifndef ONNX_EXPOSE_TENSOR_ZIP_FORMAT_H_
#define ONNX_EXPOSE_TENSOR_ZIP_FORMAT_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// The zip container (PKWARE APPNOTE 6.3), as much of it as npz files use: one
// disk, stored or deflated members, zip64. Compression is zlib's, the rest
// libdeflate's. Own code and not a zip library, for members are to be mapped
// straight from the file and written straight from memory.

namespace onnx_expose::zip {

// Signatures.
constexpr uint32_t kLocalHeader = 0x04034b50;
constexpr uint32_t kCentralHeader = 0x02014b50;
constexpr uint32_t kEnd = 0x06054b50;
constexpr uint32_t kEnd64 = 0x06064b50;
constexpr uint32_t kEnd64Locator = 0x07064b50;

// Sizes without names, extra fields and comments.
constexpr size_t kLocalHeaderSize = 30;
constexpr size_t kCentralHeaderSize = 46;
constexpr size_t kEndSize = 22;
constexpr size_t kEnd64Size = 56;
constexpr size_t kEnd64LocatorSize = 20;

// "Look into the zip64 fields."
constexpr uint32_t kIn64 = 0xffffffff;
constexpr uint16_t kMany = 0xffff;

constexpr uint16_t kStored = 0;
constexpr uint16_t kDeflated = 8;
constexpr uint16_t kFlagEncrypted = 1;
constexpr uint16_t kFlagUtf8 = 1 << 11;
constexpr uint16_t kExtra64 = 1;
constexpr uint16_t kExtraAlignment = 0xd935;  // as Android's zipalign has it

// Puts little-endian numbers one after the other.
class Record {
 public:
  template <std::integral Int>
  Record& Add(Int number) {
    for (size_t i = 0; i < sizeof(Int); ++i) {
      bytes_.push_back(
          static_cast<char>(static_cast<uint64_t>(number) >> (8 * i)));
    }
    return *this;
  }
  Record& Add(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace onnx_expose::zip

#endif  // ONNX_EXPOSE_TENSOR_ZIP_FORMAT_H_
