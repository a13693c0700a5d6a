#ifndef ONNX_EXPOSE_PIPELINE_BOUNDARY_H_
#define ONNX_EXPOSE_PIPELINE_BOUNDARY_H_

#include <cstdint>
#include <map>
#include <string>

#include "onnx_expose/tensor.h"
#include "pipeline/runnable.h"

namespace onnx_expose {

// Values between pieces: what an earlier one computed and a later one reads.
// Those that don't fit into `memory` bytes wait in files.
class Boundary {
 public:
  Boundary(uint64_t memory, ScratchFolder& scratch)
      : memory_(memory), scratch_(scratch) {}
  ~Boundary();

  void Add(int value, Data data);
  bool Has(int value) const;
  // What is in a file is mapped into memory as long as the result lives.
  Data Get(int value) const;
  void Drop(int value);
  // Held in memory.
  uint64_t bytes() const { return bytes_; }

 private:
  struct Kept {
    Data data;  // without its bytes, if those are in a file
    std::string file;
    uint64_t size = 0;
  };
  void Spill(Kept& kept);

  uint64_t memory_;
  ScratchFolder& scratch_;
  std::map<int, Kept> values_;
  uint64_t bytes_ = 0;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_PIPELINE_BOUNDARY_H_
