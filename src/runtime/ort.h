#ifndef ONNX_EXPOSE_RUNTIME_ORT_H_
#define ONNX_EXPOSE_RUNTIME_ORT_H_

// ONNX Runtime's own header, with the table of functions to be filled in after
// dlopen. Only what version 1.17 has may be called.
#define ORT_API_MANUAL_INIT
#include <onnxruntime_cxx_api.h>
#undef ORT_API_MANUAL_INIT

#endif  // ONNX_EXPOSE_RUNTIME_ORT_H_
