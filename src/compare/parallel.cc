#include "compare/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace onnx_expose {

void ParallelFor(size_t count, size_t workers,
                 const std::function<void(size_t worker, size_t i)>& work) {
  workers = std::max<size_t>(1, std::min(workers, count));
  std::atomic<size_t> next = 0;
  std::vector<std::exception_ptr> problems(workers);
  const auto run = [&](size_t worker) {
    try {
      for (size_t i = next++; i < count; i = next++) work(worker, i);
    } catch (...) {
      problems[worker] = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (size_t w = 1; w < workers; ++w) threads.emplace_back(run, w);
    run(0);
  }
  for (const std::exception_ptr& problem : problems) {
    if (problem) std::rethrow_exception(problem);
  }
}

}  // namespace onnx_expose
