#include "tensor/code_counts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>

#include "onnx_expose/element_types.h"
#include "tensor/numbers.h"
#include "tensor/packing.h"

namespace onnx_expose {
namespace {

constexpr size_t kByteCodes = 256;
constexpr size_t kWordCodes = 65536;
// From here on it costs less than the table of 65536.
constexpr uint64_t kManyElements = uint64_t{1} << 19;

// Several tables: the same code twice in a row doesn't wait for itself.
template <typename Code, size_t kTables>
void Count(std::span<const std::byte> bytes, CodeCounts& counts) {
  constexpr size_t kCodes = size_t{1} << (8 * sizeof(Code));
  constexpr size_t kEach = sizeof(uint64_t) / sizeof(Code);
  CodeCounts tables(kTables * kCodes);
  size_t at = 0;
  for (; at + sizeof(uint64_t) <= bytes.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, &bytes[at], sizeof(word));
    for (size_t i = 0; i < kEach; ++i) {
      ++tables[i % kTables * kCodes + static_cast<Code>(word)];
      word >>= 8 * sizeof(Code) % 64;
    }
  }
  for (; at < bytes.size(); at += sizeof(Code)) {
    Code code = 0;
    std::memcpy(&code, &bytes[at], sizeof(code));
    ++tables[code];
  }
  for (size_t i = 0; i < tables.size(); ++i) counts[i % kCodes] += tables[i];
}

void CountOneByOne(const Tensor& tensor, uint64_t first, uint64_t end,
                   CodeCounts& counts) {
  std::array<uint8_t, 4096> block;
  while (first < end) {
    const size_t size = std::min<uint64_t>(block.size(), end - first);
    Unpack(tensor.type, tensor.bytes, first, size, block.data());
    for (size_t i = 0; i < size; ++i) ++counts[block[i]];
    first += size;
  }
}

// Whole bytes are counted and then taken apart; 6 bits don't end with a byte.
void CountPacked(const Tensor& tensor, CodeCounts& counts) {
  const uint64_t count = ElementCount(tensor.shape);
  const auto bits = static_cast<size_t>(ElementBits(tensor.type));
  const size_t each = 8 / bits;
  if (8 % bits != 0) return CountOneByOne(tensor, 0, count, counts);
  CodeCounts bytes(kByteCodes);
  Count<uint8_t, 4>(tensor.bytes.first(count / each), bytes);
  for (size_t value = 0; value < kByteCodes; ++value) {
    const auto packed = static_cast<std::byte>(value);
    std::array<uint8_t, 8> codes{};
    Unpack(tensor.type, {&packed, 1}, 0, each, codes.data());
    for (size_t i = 0; i < each; ++i) counts[codes[i]] += bytes[value];
  }
  CountOneByOne(tensor, count / each * each, count, counts);
}

}  // namespace

bool CountingPays(const Tensor& tensor) {
  const int bits = ElementBits(tensor.type);
  return bits <= 8 ||
         (bits == 16 && ElementCount(tensor.shape) >= kManyElements);
}

CodeCounts CountCodes(const Tensor& tensor) {
  const int bits = ElementBits(tensor.type);
  CodeCounts counts(bits == 16 ? kWordCodes : kByteCodes);
  if (bits == 16) {
    Count<uint16_t, 2>(tensor.bytes, counts);
  } else if (bits == 8) {
    Count<uint8_t, 4>(tensor.bytes, counts);
  } else {
    CountPacked(tensor, counts);
  }
  return counts;
}

std::vector<double> NumbersOfCodes(int type) {
  if (ElementBits(type) <= 8) {
    const CodeValues& values = ValuesOfCodes(type);
    return {values.begin(), values.end()};
  }
  std::vector<uint16_t> codes(kWordCodes);
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<uint16_t>(i);
  Tensor tensor;
  tensor.type = type;
  tensor.bytes = std::as_bytes(std::span(codes));
  std::vector<double> numbers(kWordCodes);
  ToDoubles(tensor, 0, numbers.size(), numbers.data());
  return numbers;
}

uint64_t FirstNotFinite(const Tensor& tensor) {
  std::array<double, 1024> block;
  const uint64_t count = ElementCount(tensor.shape);
  for (uint64_t first = 0; first < count; first += block.size()) {
    const size_t size = std::min<uint64_t>(block.size(), count - first);
    ToDoubles(tensor, first, size, block.data());
    for (size_t i = 0; i < size; ++i) {
      if (!std::isfinite(block[i])) return first + i;
    }
  }
  return count;
}

}  // namespace onnx_expose
