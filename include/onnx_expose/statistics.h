#ifndef ONNX_EXPOSE_STATISTICS_H_
#define ONNX_EXPOSE_STATISTICS_H_

#include <array>
#include <cstdint>
#include <optional>

#include "onnx_expose/tensor.h"

namespace onnx_expose {

// What the numbers of a value look like. Minimum, maximum, mean, standard
// deviation (of the population), L2 norm and histogram are of the finite
// elements, in double; of complex numbers, their magnitudes; of bools, 0 and
// 1. Sequences and maps count as all their tensors together.
struct Statistics {
  static constexpr int kBins = 64;

  uint64_t count = 0;   // elements
  uint64_t finite = 0;  // those that the next five numbers are about
  double min = 0;       // min, max, mean, std: meaningless if `finite` is 0
  double max = 0;
  double mean = 0;
  double std = 0;
  double l2 = 0;
  uint64_t zeros = 0;
  uint64_t nan = 0;
  uint64_t pos_inf = 0;
  uint64_t neg_inf = 0;
  // Row-major position of the first element that is NaN or infinite.
  std::optional<uint64_t> first_bad;
  // Elements per bin of equal width between min and max, both included.
  std::array<uint64_t, kBins> histogram{};
};

// Of a tensor of strings: `count` alone.
Statistics ComputeStatistics(const Data& data);

// The greatest absolute value among the finite elements, 0 without any.
double GreatestMagnitude(const Statistics& stats);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_STATISTICS_H_
