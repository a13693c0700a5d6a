#include "tensor/numbers.h"

#include <onnx/onnx_pb.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "onnx_expose/element_types.h"
#include "tensor/packing.h"
#include "tensor/vectorized.h"

namespace onnx_expose {
namespace {

using onnx::TensorProto;

// The bytes may lie anywhere; compilers make a plain load of it.
template <typename T>
inline T Load(const std::byte* bytes, size_t i) {
  T value;
  std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
  return value;
}

#define ONNX_EXPOSE_WIDEN(Name, T, Number, value_of_x)                   \
  ONNX_EXPOSE_VECTORIZED void Name(const std::byte* bytes, size_t count, \
                                   Number* numbers) {                    \
    for (size_t i = 0; i < count; ++i) {                                 \
      const T x = Load<T>(bytes, i);                                     \
      numbers[i] = value_of_x;                                           \
    }                                                                    \
  }

// Both without a branch, so that they become vector code.
inline float FromBfloat16(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

inline float FromFloat16(uint16_t bits) {
  const uint32_t magnitude = static_cast<uint32_t>(bits & 0x7fff) << 13;
  // The exponent's bias is 112 less: the product is right for denormal
  // numbers as well, and only infinity and NaN need their exponent set.
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p112F;
  const uint32_t special = (bits & 0x7c00) == 0x7c00 ? 0x7f800000U : 0U;
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(scaled) | special | sign);
}

ONNX_EXPOSE_WIDEN(WidenFloat, float, double, x)
ONNX_EXPOSE_WIDEN(WidenDouble, double, double, x)
ONNX_EXPOSE_WIDEN(WidenFloat16, uint16_t, double, FromFloat16(x))
ONNX_EXPOSE_WIDEN(WidenBfloat16, uint16_t, double, FromBfloat16(x))
ONNX_EXPOSE_WIDEN(WidenInt8, int8_t, double, x)
ONNX_EXPOSE_WIDEN(WidenUint8, uint8_t, double, x)
ONNX_EXPOSE_WIDEN(WidenInt16, int16_t, double, x)
ONNX_EXPOSE_WIDEN(WidenUint16, uint16_t, double, x)
ONNX_EXPOSE_WIDEN(WidenInt32, int32_t, double, x)
ONNX_EXPOSE_WIDEN(WidenUint32, uint32_t, double, x)
ONNX_EXPOSE_WIDEN(WidenInt64, int64_t, double, static_cast<double>(x))
ONNX_EXPOSE_WIDEN(WidenUint64, uint64_t, double, static_cast<double>(x))
ONNX_EXPOSE_WIDEN(CopyFloat, float, float, x)
ONNX_EXPOSE_WIDEN(Float16ToFloat, uint16_t, float, FromFloat16(x))
ONNX_EXPOSE_WIDEN(Bfloat16ToFloat, uint16_t, float, FromBfloat16(x))
ONNX_EXPOSE_WIDEN(Int8ToFloat, int8_t, float, x)
ONNX_EXPOSE_WIDEN(Uint8ToFloat, uint8_t, float, x)
ONNX_EXPOSE_WIDEN(Int16ToFloat, int16_t, float, x)
ONNX_EXPOSE_WIDEN(Uint16ToFloat, uint16_t, float, x)

#undef ONNX_EXPOSE_WIDEN

template <typename T>
void Magnitudes(const std::byte* bytes, size_t count, double* numbers) {
  for (size_t i = 0; i < count; ++i) {
    const T real = Load<T>(bytes, 2 * i);
    const T imaginary = Load<T>(bytes, 2 * i + 1);
    // hypot has it that infinity outweighs NaN.
    numbers[i] = std::isnan(real) || std::isnan(imaginary)
                     ? std::numeric_limits<double>::quiet_NaN()
                     : std::hypot(static_cast<double>(real),
                                  static_cast<double>(imaginary));
  }
}

// Of an element that begins with a byte.
const std::byte* AddressOf(const Tensor& tensor, uint64_t element) {
  const auto bits = static_cast<uint64_t>(ElementBits(tensor.type));
  return tensor.bytes.data() + element * bits / 8;
}

template <typename Number>
void FromCodes(const Tensor& tensor, uint64_t first, size_t count,
               Number* numbers) {
  const CodeValues& values = ValuesOfCodes(tensor.type);
  std::vector<uint8_t> codes(count);
  if (IsPacked(tensor.type)) {
    Unpack(tensor.type, tensor.bytes, first, count, codes.data());
  } else {
    std::memcpy(codes.data(), tensor.bytes.data() + first, count);
  }
  for (size_t i = 0; i < count; ++i) {
    numbers[i] = static_cast<Number>(values[codes[i]]);
  }
}

}  // namespace

bool IsNumber(int type) { return ElementBits(type) > 0; }

void ToDoubles(const Tensor& tensor, uint64_t first, size_t count,
               double* numbers) {
  if (count == 0) return;
  const std::byte* from = AddressOf(tensor, first);
  switch (tensor.type) {
    case TensorProto::INT8:
      return WidenInt8(from, count, numbers);
    case TensorProto::UINT8:
      return WidenUint8(from, count, numbers);
    case TensorProto::FLOAT:
      return WidenFloat(from, count, numbers);
    case TensorProto::DOUBLE:
      return WidenDouble(from, count, numbers);
    case TensorProto::FLOAT16:
      return WidenFloat16(from, count, numbers);
    case TensorProto::BFLOAT16:
      return WidenBfloat16(from, count, numbers);
    case TensorProto::INT16:
      return WidenInt16(from, count, numbers);
    case TensorProto::UINT16:
      return WidenUint16(from, count, numbers);
    case TensorProto::INT32:
      return WidenInt32(from, count, numbers);
    case TensorProto::UINT32:
      return WidenUint32(from, count, numbers);
    case TensorProto::INT64:
      return WidenInt64(from, count, numbers);
    case TensorProto::UINT64:
      return WidenUint64(from, count, numbers);
    case TensorProto::COMPLEX64:
      return Magnitudes<float>(from, count, numbers);
    case TensorProto::COMPLEX128:
      return Magnitudes<double>(from, count, numbers);
    default:
      return FromCodes(tensor, first, count, numbers);
  }
}

bool FitsFloat(int type) {
  const int bits = ElementBits(type);
  return type == TensorProto::FLOAT || (bits > 0 && bits <= 8) ||
         type == TensorProto::FLOAT16 || type == TensorProto::BFLOAT16 ||
         type == TensorProto::INT16 || type == TensorProto::UINT16;
}

void ToFloats(const Tensor& tensor, uint64_t first, size_t count,
              float* numbers) {
  const std::byte* from = AddressOf(tensor, first);
  switch (tensor.type) {
    case TensorProto::INT8:
      return Int8ToFloat(from, count, numbers);
    case TensorProto::UINT8:
      return Uint8ToFloat(from, count, numbers);
    case TensorProto::FLOAT:
      return CopyFloat(from, count, numbers);
    case TensorProto::FLOAT16:
      return Float16ToFloat(from, count, numbers);
    case TensorProto::BFLOAT16:
      return Bfloat16ToFloat(from, count, numbers);
    case TensorProto::INT16:
      return Int16ToFloat(from, count, numbers);
    case TensorProto::UINT16:
      return Uint16ToFloat(from, count, numbers);
    default:
      return FromCodes(tensor, first, count, numbers);
  }
}

}  // namespace onnx_expose
