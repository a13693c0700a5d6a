#include "compare/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

namespace onnx_expose {

void ParallelFor(size_t count, size_t workers,
                 const std::function<void(size_t worker, size_t i)>& work) {
  workers = std::max<size_t>(1, std::min(workers, count));
  std::atomic<size_t> next = 0;
  // Of each worker its only one, by i: all lower ones have begun by then.
  std::vector<std::pair<size_t, std::exception_ptr>> problems(workers);
  const auto run = [&](size_t worker) {
    size_t i = next++;
    try {
      for (; i < count; i = next++) work(worker, i);
    } catch (...) {
      problems[worker] = {i, std::current_exception()};
      next = count;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (size_t w = 1; w < workers; ++w) threads.emplace_back(run, w);
    run(0);
  }
  size_t lowest = count;
  std::exception_ptr problem;
  for (const auto& [i, thrown] : problems) {
    if (!thrown || i >= lowest) continue;
    lowest = i;
    problem = thrown;
  }
  if (problem) std::rethrow_exception(problem);
}

}  // namespace onnx_expose
