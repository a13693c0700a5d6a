#ifndef ONNX_EXPOSE_TENSOR_VECTORIZED_H_
#define ONNX_EXPOSE_TENSOR_VECTORIZED_H_

// A function that is compiled twice, the machine's own choice taken when it
// starts: for x86-64-v3 (AVX2 and FMA) and for what every x86-64 has. Compiled
// once elsewhere, under sanitizers, which don't stand the early choice, and by
// clang, which doesn't inline functions with vectors into the copy.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ONNX_EXPOSE_VECTORIZED \
  __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define ONNX_EXPOSE_VECTORIZED
#endif

#endif  // ONNX_EXPOSE_TENSOR_VECTORIZED_H_
