#ifndef ONNX_EXPOSE_CLI_FREED_MEMORY_H_
#define ONNX_EXPOSE_CLI_FREED_MEMORY_H_

#include <malloc.h>

namespace onnx_expose::cli {

// Freed values go back to the system at once: they are large and few, and
// memory that is kept would count twice.
inline void ReturnFreedMemory() {
  constexpr int kLargest = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLargest);
}

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_FREED_MEMORY_H_
