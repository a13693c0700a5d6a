#include "tensor/image_pixels.h"

#include <fmt/format.h>

#include <climits>
#include <cstddef>
#include <cstdlib>
#include <limits>

#include "onnx_expose/error.h"
#include "tensor/jpeg_tables.h"

namespace onnx_expose {
namespace {

// What one allocation of the decoder may take: it believes lengths in the file
// and unpacks more than a picture's size allows.
thread_local size_t allocation_limit = 0;

void* Allocate(size_t size) {
  return size <= allocation_limit ? std::malloc(size) : nullptr;
}

void* Reallocate(void* block, size_t size) {
  return size <= allocation_limit ? std::realloc(block, size) : nullptr;
}

}  // namespace
}  // namespace onnx_expose

#define STBI_MALLOC(size) onnx_expose::Allocate(size)
#define STBI_REALLOC(block, size) onnx_expose::Reallocate(block, size)
#define STBI_FREE(block) std::free(block)
#define STBI_NO_STDIO
#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
// Harmless and known: memcpy of nothing to a null pointer, arithmetic that
// overflows on damaged pictures.
#ifdef __clang__
#pragma clang attribute push(                                           \
    __attribute__((no_sanitize("nonnull-attribute", "pointer-overflow", \
                               "shift", "signed-integer-overflow"))),   \
    apply_to = function)
#endif
#include <stb_image.h>
#ifdef __clang__
#pragma clang attribute pop
#endif

namespace onnx_expose {
namespace {

constexpr uint64_t kMostPixels = 100'000'000;
// Tables and the like, whatever the size of the picture.
constexpr size_t kOverhead = size_t{1} << 20;

[[noreturn]] void FailToRead(const std::string& path) {
  const char* reason = stbi_failure_reason();
  throw Error(ExitCode::kInput, path,
              {"this is no picture that can be read",
               reason == nullptr ? "" : reason, "PNG and JPEG are"});
}

size_t LimitFor(const Pixels& picture) {
  // 4 channels of 16 bits, twice; JPEG pads to blocks of up to 32 pixels.
  constexpr size_t kBytesPerPixel = 16;
  constexpr size_t kBlock = 32;
  return (static_cast<size_t>(picture.width) + kBlock) *
             (static_cast<size_t>(picture.height) + kBlock) * kBytesPerPixel +
         kOverhead;
}

}  // namespace

Pixels DecodePicture(std::string_view bytes, const std::string& path) {
  if (bytes.size() > static_cast<size_t>(INT_MAX)) {
    throw Error(ExitCode::kInput, path,
                {"the file is too large for a picture", "", ""});
  }
  if (bytes.starts_with('\xFF') && !HasSoundTables(bytes)) {
    throw Error(
        ExitCode::kInput, path,
        {"this is no picture that can be read", "bad Huffman table", ""});
  }
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const auto size = static_cast<int>(bytes.size());
  Pixels picture;
  allocation_limit = kOverhead;
  if (stbi_info_from_memory(data, size, &picture.width, &picture.height,
                            &picture.channels) == 0) {
    // Only loading leaves a reason behind; this one fails as early.
    std::free(stbi_load_from_memory(data, size, &picture.width, &picture.height,
                                    &picture.channels, 0));
    FailToRead(path);
  }
  const uint64_t count = static_cast<uint64_t>(picture.width) *
                         static_cast<uint64_t>(picture.height);
  if (count > kMostPixels) {
    throw Error(ExitCode::kInput, path,
                {fmt::format("the picture has {} x {} pixels, more than {}",
                             picture.width, picture.height, kMostPixels),
                 "", ""});
  }
  allocation_limit = LimitFor(picture);
  if (stbi_is_16_bit_from_memory(data, size) != 0) {
    picture.words.reset(
        stbi_load_16_from_memory(data, size, &picture.width, &picture.height,
                                 &picture.channels, 0),
        std::free);
  } else {
    picture.bytes.reset(
        stbi_load_from_memory(data, size, &picture.width, &picture.height,
                              &picture.channels, 0),
        std::free);
  }
  if (picture.bytes == nullptr && picture.words == nullptr) FailToRead(path);
  return picture;
}

}  // namespace onnx_expose
