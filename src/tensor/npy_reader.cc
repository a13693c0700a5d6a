#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>

#include "onnx_expose/element_types.h"
#include "onnx_expose/tensor_files.h"
#include "support/text.h"
#include "tensor/format_error.h"
#include "tensor/npy.h"
#include "tensor/npy_header.h"
#include "tensor/unicode.h"

namespace onnx_expose {
namespace {

using onnx::TensorProto;

// Strings of no length take no room in the file, but each takes some here.
constexpr uint64_t kMostEmptyStrings = uint64_t{1} << 16;

struct Dtype {
  char kind = 0;      // 'U' and 'S' are strings
  int type = 0;       // TensorProto.DataType
  uint64_t size = 0;  // bytes of an element
  bool swapped = false;
};

[[noreturn]] void RefuseDtype(const std::string& descr) {
  if (descr.ends_with('O')) {
    throw FormatError(
        "holds Python objects (a pickle), which only Python can read",
        "save it with a numeric or string dtype");
  }
  throw FormatError(
      fmt::format("numpy's dtype {} has no counterpart in ONNX", Quoted(descr)),
      "convert it with astype before it is saved");
}

Dtype ParseDtype(const std::string& descr) {
  static const std::map<std::string_view, int, std::less<>> types = {
      {"b1", TensorProto::BOOL},
      {"i1", TensorProto::INT8},
      {"i2", TensorProto::INT16},
      {"i4", TensorProto::INT32},
      {"i8", TensorProto::INT64},
      {"u1", TensorProto::UINT8},
      {"u2", TensorProto::UINT16},
      {"u4", TensorProto::UINT32},
      {"u8", TensorProto::UINT64},
      {"f2", TensorProto::FLOAT16},
      {"f4", TensorProto::FLOAT},
      {"f8", TensorProto::DOUBLE},
      {"c8", TensorProto::COMPLEX64},
      {"c16", TensorProto::COMPLEX128},
      // What numpy makes of types it doesn't have: ml_dtypes' bfloat16, ....
      {"V1", TensorProto::UINT8},
      {"V2", TensorProto::UINT16}};
  std::string_view rest = descr;
  Dtype dtype;
  if (!rest.empty() &&
      std::string_view("<>=|").find(rest[0]) != std::string_view::npos) {
    dtype.swapped = rest[0] == '>';
    rest.remove_prefix(1);
  }
  if (rest.size() < 2) RefuseDtype(descr);
  dtype.kind = rest[0];
  if (const auto at = types.find(rest); at != types.end()) {
    dtype.type = at->second;
    dtype.size = DataBytes(dtype.type, 1);
    return dtype;
  }
  const auto [end, error] =
      std::from_chars(rest.data() + 1, rest.data() + rest.size(), dtype.size);
  if ((dtype.kind != 'U' && dtype.kind != 'S') || error != std::errc() ||
      end != rest.data() + rest.size()) {
    RefuseDtype(descr);
  }
  dtype.type = TensorProto::STRING;
  if (dtype.kind == 'U' &&
      __builtin_mul_overflow(dtype.size, uint64_t{4}, &dtype.size)) {
    RefuseDtype(descr);
  }
  return dtype;
}

// The elements that the header promises, all of them there.
std::span<const std::byte> DataOf(const FileBytes& file,
                                  const NpyHeader& header, uint64_t count,
                                  uint64_t element) {
  const std::span<const std::byte> rest = file.bytes.subspan(header.size);
  uint64_t size = 0;
  if (__builtin_mul_overflow(count, element, &size) || size > rest.size()) {
    throw FormatError(
        fmt::format("is cut off: shape ({}) of {} needs more than the {} there",
                    Joined(header.shape, ","), Quoted(header.descr),
                    ByteText(rest.size())));
  }
  return rest.first(size);
}

// From Fortran's order, in which the first index runs fastest, to C's.
std::vector<std::byte> ToCOrder(std::span<const std::byte> data,
                                const std::vector<int64_t>& shape,
                                uint64_t element) {
  std::vector<std::byte> turned(data.size());
  std::vector<uint64_t> strides;
  uint64_t stride = element;
  for (const int64_t dim : shape) {
    strides.push_back(stride);
    stride *= static_cast<uint64_t>(dim);
  }
  const uint64_t row = static_cast<uint64_t>(shape.back());
  std::vector<int64_t> index(shape.size(), 0);
  uint64_t from = 0;
  for (size_t to = 0; to < turned.size();) {
    for (uint64_t i = 0; i < row; ++i, to += element) {
      std::memcpy(&turned[to], &data[from + i * strides.back()], element);
    }
    for (size_t axis = shape.size() - 1; axis-- > 0;) {
      from += strides[axis];
      if (++index[axis] < shape[axis]) break;
      from -= strides[axis] * static_cast<uint64_t>(index[axis]);
      index[axis] = 0;
    }
  }
  return turned;
}

std::string ToText(std::span<const std::byte> element, const Dtype& dtype) {
  std::string text;
  if (dtype.kind == 'S') {
    text.assign(reinterpret_cast<const char*>(element.data()), element.size());
  } else {
    for (size_t i = 0; i < element.size(); i += 4) {
      uint32_t code = 0;
      std::memcpy(&code, &element[i], sizeof(code));
      if (dtype.swapped) code = __builtin_bswap32(code);
      if (!AppendUtf8(code, text)) {
        throw FormatError(fmt::format("U+{:04X} is no character", code));
      }
    }
  }
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

Tensor Strings(std::span<const std::byte> data, uint64_t count,
               const Dtype& dtype) {
  Tensor tensor;
  if (dtype.size == 0 && count > kMostEmptyStrings) {
    throw FormatError("holds too many strings of no length");
  }
  for (uint64_t i = 0; i < count; ++i) {
    tensor.strings.push_back(
        ToText(data.subspan(i * dtype.size, dtype.size), dtype));
  }
  return tensor;
}

void SwapBytes(std::vector<std::byte>& data, const Dtype& dtype) {
  const size_t unit = dtype.kind == 'c' ? dtype.size / 2 : dtype.size;
  for (auto at = data.begin(); at != data.end();
       at += static_cast<std::ptrdiff_t>(unit)) {
    std::reverse(at, at + static_cast<std::ptrdiff_t>(unit));
  }
}

}  // namespace

Tensor ParseNpy(const FileBytes& file) {
  const NpyHeader header = ParseNpyHeader(file.bytes);
  const Dtype dtype = ParseDtype(header.descr);
  const uint64_t count = ElementCount(header.shape);
  std::span<const std::byte> data = DataOf(file, header, count, dtype.size);
  std::vector<std::byte> copy;
  const bool turned =
      header.fortran_order && header.shape.size() > 1 && !data.empty();
  if (turned) {
    copy = ToCOrder(data, header.shape, dtype.size);
    data = copy;
  }
  Tensor tensor;
  if (dtype.type == TensorProto::STRING) {
    tensor = Strings(data, count, dtype);
  } else {
    const bool swap = dtype.swapped && dtype.size > 1;
    if (swap && !turned) copy.assign(data.begin(), data.end());
    if (swap) SwapBytes(copy, dtype);
    if (turned || !copy.empty()) {
      return MakeTensor(dtype.type, header.shape, std::move(copy));
    }
    tensor.bytes = data;
    tensor.owner = file.owner;
  }
  tensor.type = dtype.type;
  tensor.shape = header.shape;
  return tensor;
}

Tensor ReadNpy(const std::string& path) {
  const FileBytes file = MapFile(path);
  return InFile(path, "", [&] { return ParseNpy(file); });
}

Tensor ReadRaw(const std::string& path, int type,
               const std::vector<int64_t>& shape) {
  const FileBytes file = MapFile(path);
  const uint64_t size = DataBytes(type, ElementCount(shape));
  if (ElementBits(type) == 0 || file.bytes.size() != size) {
    throw Error(ExitCode::kInput, path,
                {fmt::format("has {} where {}[{}] takes {}",
                             ByteText(file.bytes.size()), ElementName(type),
                             Joined(shape, ","), ByteText(size)),
                 "", ""});
  }
  Tensor tensor;
  tensor.type = type;
  tensor.shape = shape;
  tensor.bytes = file.bytes;
  tensor.owner = file.owner;
  return tensor;
}

}  // namespace onnx_expose
