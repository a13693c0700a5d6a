#include "runtime/memory_cap.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace onnx_expose {
namespace {

// ONNX Runtime's own allocator aligns to 64 bytes as well. In front of each
// block is its size.
constexpr size_t kBlockAlignment = 64;

MemoryCap& Of(OrtAllocator* allocator) {
  return *static_cast<MemoryCap*>(allocator);
}

}  // namespace

MemoryCap::MemoryCap(Ort::Env& env)
    : OrtAllocator{},
      info_(Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault)) {
  version = 17;  // the oldest that we run with; later ones have more members
  Alloc = [](OrtAllocator* self, size_t size) { return Of(self).Take(size); };
  Free = [](OrtAllocator* self, void* memory) { Of(self).Give(memory); };
  Info = [](const OrtAllocator* self) {
    const OrtMemoryInfo* info = static_cast<const MemoryCap*>(self)->info_;
    return info;
  };
  Ort::ThrowOnError(Ort::GetApi().RegisterAllocator(env, this));
}

void* MemoryCap::Take(size_t size) {
  if (size == 0) return nullptr;
  const uint64_t whole = uint64_t{size} + kBlockAlignment;
  void* block = nullptr;
  if (used_.fetch_add(whole) + whole > limit_ ||
      ::posix_memalign(&block, kBlockAlignment, whole) != 0) {
    used_ -= whole;
    // The interface has no other way to fail: what ONNX Runtime is given, it
    // uses.
    throw std::bad_alloc();
  }
  std::memcpy(block, &whole, sizeof(whole));
  return static_cast<std::byte*>(block) + kBlockAlignment;
}

void MemoryCap::Give(void* memory) {
  if (memory == nullptr) return;
  void* block = static_cast<std::byte*>(memory) - kBlockAlignment;
  uint64_t whole = 0;
  std::memcpy(&whole, block, sizeof(whole));
  std::free(block);
  used_ -= whole;
}

}  // namespace onnx_expose
