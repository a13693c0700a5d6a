#ifndef ONNX_EXPOSE_COMPARE_PARALLEL_H_
#define ONNX_EXPOSE_COMPARE_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace onnx_expose {

// Calls work(worker, i) for each i below `count`, in any order, on up to
// `workers` threads that number themselves from 0. What the lowest i throws is
// thrown here, after all have stopped.
void ParallelFor(size_t count, size_t workers,
                 const std::function<void(size_t worker, size_t i)>& work);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_COMPARE_PARALLEL_H_
