#ifndef ONNX_EXPOSE_TENSOR_VECTORIZED_H_
#define ONNX_EXPOSE_TENSOR_VECTORIZED_H_

// A function that is compiled twice, the machine's own choice taken when it
// starts: for AVX2 and for what every x86-64 has. Elsewhere, and under
// sanitizers, which don't stand the early choice, compiled once.
#if defined(__x86_64__) && defined(__gnu_linux__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ONNX_EXPOSE_VECTORIZED __attribute__((target_clones("avx2", "default")))
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#undef ONNX_EXPOSE_VECTORIZED
#endif
#endif
#ifndef ONNX_EXPOSE_VECTORIZED
#define ONNX_EXPOSE_VECTORIZED
#endif

#endif  // ONNX_EXPOSE_TENSOR_VECTORIZED_H_
