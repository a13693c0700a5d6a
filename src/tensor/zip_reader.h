#ifndef ONNX_EXPOSE_TENSOR_ZIP_READER_H_
#define ONNX_EXPOSE_TENSOR_ZIP_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tensor/file_bytes.h"

namespace onnx_expose {

// The members of a zip file. Nothing in it is trusted. Everything throws
// FormatError.
class ZipReader {
 public:
  explicit ZipReader(FileBytes file);

  // In the directory's order.
  std::vector<std::string> Names() const;
  bool Has(std::string_view name) const { return by_name_.contains(name); }
  // Content of a member, its checksum verified; what is stored stays where it
  // is. Of several with one name the last, as in Python.
  FileBytes Read(std::string_view name) const;
  // How much of it is stored; nothing: it is compressed, or there is none.
  std::optional<uint64_t> StoredSize(std::string_view name) const;

 private:
  struct Member {
    std::string_view name;
    uint16_t flags = 0;
    uint16_t method = 0;
    uint32_t crc = 0;
    uint64_t packed = 0;
    uint64_t size = 0;
    uint64_t offset = 0;
  };
  struct Directory {
    uint64_t offset = 0;
    uint64_t size = 0;
    uint64_t count = 0;
  };
  const Member* Find(std::string_view name) const;  // nullptr: there is none
  Directory FindDirectory() const;
  void FindDirectory64(uint64_t end, Directory& directory) const;
  void ReadDirectory(const Directory& directory);
  std::span<const std::byte> PackedBytes(const Member& member) const;

  FileBytes file_;
  std::vector<Member> members_;
  std::unordered_map<std::string_view, size_t> by_name_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_ZIP_READER_H_
