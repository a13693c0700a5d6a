#include "tensor/write_behind.h"

#include <utility>

namespace onnx_expose {
namespace {

// One alone is slower than the statistics of the same bytes.
constexpr size_t kMostWrites = 2;

}  // namespace

void WriteBehind::Start(Data data, uint64_t size,
                        const std::function<void(const Data&)>& write) {
  while (!jobs_.empty() &&
         (jobs_.size() == kMostWrites || kept_bytes_ + size > most_bytes_)) {
    WaitForFirst();
  }
  kept_bytes_ += size;
  Job& job = jobs_.emplace_back(Job{std::move(data), size});
  job.done = std::async(std::launch::async, [&job, write] { write(job.data); });
}

void WriteBehind::Wait() {
  while (!jobs_.empty()) WaitForFirst();
}

void WriteBehind::WaitForFirst() {
  jobs_.front().done.wait();
  Job first = std::move(jobs_.front());
  jobs_.pop_front();
  kept_bytes_ -= first.size;
  first.done.get();
}

}  // namespace onnx_expose
