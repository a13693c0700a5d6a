#include "tensor/npy.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "onnx_expose/element_types.h"
#include "support/text.h"
#include "tensor/npy_header.h"
#include "tensor/packing.h"
#include "tensor/unicode.h"

namespace onnx_expose {
namespace {

using onnx::TensorProto;

// Room that '<U' may take whatever it would be otherwise.
constexpr uint64_t kAlwaysFine = uint64_t{1} << 20;
constexpr uint64_t kMostBlowUp = 64;

// In code points; numpy makes it 1 at least.
size_t LongestString(const Tensor& tensor) {
  size_t longest = 1;
  for (const std::string& text : tensor.strings) {
    longest = std::max(longest, CodePoints(text));
  }
  return longest;
}

// The data begin at a multiple of 64, so that they can be mapped.
std::string Header(const Tensor& tensor) {
  const std::string descr = tensor.type == TensorProto::STRING
                                ? fmt::format("<U{}", LongestString(tensor))
                                : NpyDescr(tensor.type);
  std::string dict = fmt::format(
      "{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
      Joined(tensor.shape, ", "), tensor.shape.size() == 1 ? "," : "");
  const size_t prefix = 10;
  dict.append(63 - (prefix + dict.size()) % 64, ' ');
  dict.push_back('\n');
  std::string header("\x93NUMPY\x01\x00", 8);
  header.push_back(static_cast<char>(dict.size() & 0xff));
  header.push_back(static_cast<char>(dict.size() >> 8));
  return header + dict;
}

void WriteStrings(const Tensor& tensor, ByteSink& sink) {
  const size_t longest = LongestString(tensor);
  std::u32string block;
  for (const std::string& text : tensor.strings) {
    const size_t end = block.size() + longest;
    block += FromUtf8(text);
    block.resize(end);
    if (block.size() < (size_t{1} << 14)) continue;
    sink.Write(std::as_bytes(std::span(block)));
    block.clear();
  }
  sink.Write(std::as_bytes(std::span(block)));
}

void WriteUnpacked(const Tensor& tensor, ByteSink& sink) {
  const uint64_t count = ElementCount(tensor.shape);
  std::vector<uint8_t> block(std::min(count, uint64_t{1} << 16));
  for (uint64_t at = 0; at < count; at += block.size()) {
    const size_t size = std::min<uint64_t>(block.size(), count - at);
    Unpack(tensor.type, tensor.bytes, at, size, block.data());
    sink.Write(std::as_bytes(std::span(block).first(size)));
  }
}

}  // namespace

std::string NpyDescr(int type) {
  const int bytes = std::max(1, ElementBits(type) / 8);
  switch (type) {
    case TensorProto::BOOL:
      return "|b1";
    case TensorProto::INT8:
    case TensorProto::INT4:
    case TensorProto::INT2:
      return "|i1";
    case TensorProto::INT16:
    case TensorProto::INT32:
    case TensorProto::INT64:
      return fmt::format("<i{}", bytes);
    case TensorProto::FLOAT16:
    case TensorProto::FLOAT:
    case TensorProto::DOUBLE:
      return fmt::format("<f{}", bytes);
    case TensorProto::COMPLEX64:
    case TensorProto::COMPLEX128:
      return fmt::format("<c{}", bytes);
    case TensorProto::STRING:
      return "";
    default:
      return fmt::format("{}u{}", bytes == 1 ? '|' : '<', bytes);
  }
}

bool FitsNpy(const Tensor& tensor) {
  if (tensor.shape.size() > kMostNpyDims) return false;
  if (tensor.type != TensorProto::STRING) return true;
  uint64_t bytes = 0;
  for (const std::string& text : tensor.strings) {
    if (!IsUtf8(text) || text.ends_with('\0')) return false;
    bytes += text.size();
  }
  const uint64_t room = 4 * LongestString(tensor) * tensor.strings.size();
  return room <= kAlwaysFine || room / kMostBlowUp <= bytes;
}

void WriteNpy(const Tensor& tensor, ByteSink& sink) {
  sink.Write(Header(tensor));
  if (tensor.type == TensorProto::STRING) {
    WriteStrings(tensor, sink);
  } else if (IsPacked(tensor.type)) {
    WriteUnpacked(tensor, sink);
  } else {
    sink.Write(tensor.bytes);
  }
}

}  // namespace onnx_expose
