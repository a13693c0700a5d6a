#ifndef ONNX_EXPOSE_TENSOR_PACKING_H_
#define ONNX_EXPOSE_TENSOR_PACKING_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace onnx_expose {

// Elements of less than 8 bits, packed as ONNX packs them (onnx.proto,
// raw_data): a stream of bits whose first element is in the lowest bits.

// Whether the type is one of those.
bool IsPacked(int type);

// The codes of `count` elements from element `first` on, one a byte; those of
// int4 and int2 with their sign extended.
void Unpack(int type, std::span<const std::byte> packed, uint64_t first,
            size_t count, uint8_t* codes);

// The other way round, all of them; upper bits of the codes don't count.
std::vector<std::byte> Pack(int type, std::span<const std::byte> codes);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_PACKING_H_
