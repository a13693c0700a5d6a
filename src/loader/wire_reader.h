#ifndef ONNX_EXPOSE_LOADER_WIRE_READER_H_
#define ONNX_EXPOSE_LOADER_WIRE_READER_H_

#include <cstdint>
#include <string>

#include "loader/byte_source.h"

namespace onnx_expose {

// Protobuf's wire format, record by record, over a ByteSource. Lengths,
// varints, field numbers, groups and their nesting are checked; what is wrong
// is Error(kInput) with the offset.
class WireReader {
 public:
  enum Wire : uint32_t {
    kVarint = 0,
    kFixed64 = 1,
    kLength = 2,
    kGroup = 3,
    kEndGroup = 4,
    kFixed32 = 5
  };

  struct Record {
    uint32_t number = 0;
    uint32_t wire = 0;
    uint64_t begin = 0;    // of the tag
    uint64_t content = 0;  // behind tag and length
    uint64_t end = 0;
    uint64_t value = 0;  // of a varint
  };

  explicit WireReader(ByteSource& source) : source_(source) {}

  // The record at `at` in a message that ends at `end`. `depth`: messages
  // around it, which groups count on from.
  Record Next(uint64_t at, uint64_t end, int depth);

  // The varint at `at`, which is moved behind it.
  uint64_t Varint(uint64_t& at, uint64_t end);

  std::string Text(const Record& record);

  [[noreturn]] void Fail(uint64_t offset, const std::string& what) const;

 private:
  uint64_t SkipGroup(uint64_t at, uint64_t end, uint32_t number, int depth);

  ByteSource& source_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_LOADER_WIRE_READER_H_
