#ifndef ONNX_EXPOSE_TENSOR_WRITE_BEHIND_H_
#define ONNX_EXPOSE_TENSOR_WRITE_BEHIND_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <future>

#include "onnx_expose/tensor.h"

namespace onnx_expose {

// Writes that go on beside the caller, each of a file of its own:
//
//   WriteBehind writes(64 << 20);
//   writes.Start(data, size, [&](const Data& data) { WriteNpy(...); });
//   writes.Wait();
//
// Keeps what is written until then. Start waits while two writes are under way,
// or more than `most_bytes` would be kept, if anything is. Start and Wait throw
// what an earlier write threw; the destructor waits and throws nothing.
class WriteBehind {
 public:
  explicit WriteBehind(uint64_t most_bytes) : most_bytes_(most_bytes) {}

  void Start(Data data, uint64_t size,
             const std::function<void(const Data&)>& write);
  void Wait();

 private:
  struct Job {
    Data data;
    uint64_t size;
    std::future<void> done = {};
  };

  void WaitForFirst();

  uint64_t most_bytes_;
  uint64_t kept_bytes_ = 0;
  std::deque<Job> jobs_;  // a deque: a write refers to its job
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_TENSOR_WRITE_BEHIND_H_
