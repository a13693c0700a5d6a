#ifndef ONNX_EXPOSE_PIPELINE_PIECES_H_
#define ONNX_EXPOSE_PIPELINE_PIECES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "onnx_expose/graph_index.h"
#include "onnx_expose/value_types.h"

namespace onnx_expose {

// Where the main graph can be cut. Its nodes are steps 0, 1, ... in the order
// in which they are run.
class PiecePlan {
 public:
  // `wanted`: names of values that are handed out, whoever reads them.
  PiecePlan(const GraphIndex& index, const std::vector<std::string>& wanted);

  // What types say about sizes, anew when more is known.
  void SetTypes(const ValueTypes& types);
  // Whether there is a value computed from `step` on whose size isn't known.
  bool HasUnknown(size_t step) const;

  size_t steps() const { return nodes_.size(); }
  // Where a piece that begins at `begin` ends to stay within `budget` bytes,
  // behind at least one node. What counts: weights, twice because kernels
  // repack them; what it is fed; and the values that live at the same time,
  // those that are handed out up to the end. Not between two nodes that
  // pass on something else than tensors.
  size_t End(size_t begin, uint64_t budget) const;

  // Where a piece that turned out too large can be cut, near its middle; `end`
  // if it can't.
  size_t Half(size_t begin, size_t end) const;

  // Positions in the main graph's node list. Constant nodes that are read here
  // belong to each such piece: what they hold is known when a session is made,
  // as it is in the whole model.
  std::vector<int> Nodes(size_t begin, size_t end) const;
  // Indices in GraphIndex::values() that the piece computes and that are
  // wanted or read behind it.
  std::vector<int> Outputs(size_t begin, size_t end) const;
  bool IsReadFrom(size_t step, int value) const {
    return last_read_[static_cast<size_t>(value)] > step;
  }
  bool IsUnknown(int value) const {
    return unknown_[static_cast<size_t>(value)];
  }
  bool IsWanted(int value) const { return wanted_[static_cast<size_t>(value)]; }

 private:
  bool IsComputedIn(int value, size_t begin, size_t end) const;

  const GraphIndex& index_;
  std::vector<int> nodes_;         // by step: index in GraphIndex::nodes()
  std::vector<size_t> computed_;   // by value: step + 1, 0: by none
  std::vector<size_t> last_read_;  // by value: step + 1, 0: by none
  std::vector<bool> wanted_;       // by value
  std::vector<uint64_t> weights_;  // by value: bytes of an initializer
  std::vector<int> constant_;      // by value: position of a Constant, or -1
  std::vector<uint64_t> inner_;    // by step: bytes of tensors in attributes
  std::vector<uint64_t> sizes_;    // by value
  std::vector<bool> unknown_;      // by value: `sizes_` is a guess
  std::vector<int> barred_;        // by step: values that can't be passed on
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_PIPELINE_PIECES_H_
