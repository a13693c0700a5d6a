#ifndef ONNX_EXPOSE_TENSOR_ZIP_WRITER_H_
#define ONNX_EXPOSE_TENSOR_ZIP_WRITER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tensor/byte_sink.h"
#include "tensor/new_file.h"

namespace onnx_expose {

// Writes a zip file member by member. Same members, same bytes. Stored members
// begin at multiples of 64. Everything throws Error(kOutput).
class ZipWriter {
 public:
  // `deflate`: members are compressed.
  ZipWriter(const std::string& path, bool deflate);

  // `write` gives the content. Names have to be different.
  void Add(const std::string& name,
           const std::function<void(ByteSink&)>& write);
  // Without it the file is no zip file.
  void Finish();
  uint64_t size() const { return file_.size(); }

 private:
  struct Member {
    std::string name;
    uint64_t offset = 0;
    uint64_t size = 0;
    uint64_t packed = 0;
    uint32_t crc = 0;
  };
  std::string LocalHeader(const Member& member) const;
  std::string CentralHeader(const Member& member) const;

  NewFile file_;
  bool deflate_;
  std::vector<Member> members_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_ZIP_WRITER_H_
