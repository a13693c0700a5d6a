#ifndef ONNX_EXPOSE_RUNTIME_MEMORY_CAP_H_
#define ONNX_EXPOSE_RUNTIME_MEMORY_CAP_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/ort.h"

namespace onnx_expose {

// Gives ONNX Runtime memory for the values of sessions that use the
// environment's allocators, and no more than the limit at a time: then the run
// fails with "std::bad_alloc".
class MemoryCap : public OrtAllocator {
 public:
  // Registers itself with the environment, which it must outlive.
  explicit MemoryCap(Ort::Env& env);
  MemoryCap(const MemoryCap&) = delete;
  MemoryCap& operator=(const MemoryCap&) = delete;

  void SetLimit(uint64_t bytes) { limit_ = bytes; }

 private:
  void* Take(size_t size);
  void Give(void* memory);

  Ort::MemoryInfo info_;
  std::atomic<uint64_t> limit_ = 0;
  std::atomic<uint64_t> used_ = 0;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_MEMORY_CAP_H_
