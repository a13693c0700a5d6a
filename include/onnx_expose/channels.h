#ifndef ONNX_EXPOSE_CHANNELS_H_
#define ONNX_EXPOSE_CHANNELS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onnx_expose/compare.h"

namespace onnx_expose {

struct ChannelOptions {
  // Negative ones count from the last. Nothing: 1 where there are four dims or
  // more and of convolutions, else the last.
  std::optional<int> axis;
  // A channel is weak below this share of the median channel of its value.
  double threshold = 0.1;
  // Two are near-duplicates above this cosine.
  double duplicate = 0.999;
};

// A channel of a value, over all recorded inputs.
struct Channel {
  int64_t number = 0;
  double mean_abs = 0;
  double of_median = 0;  // mean_abs by that of the value's median channel
  double zeros = 0;      // share of the elements
  // Share of the elements that are the greatest or the least number, not 0, of
  // the whole value: where Clip or a quantised type ends.
  double saturated = 0;
  // An earlier channel with nearly the same numbers up to a factor.
  std::optional<int64_t> duplicate_of;
  bool dead = false;  // zero or a constant
  bool weak = false;
};

struct ValueChannels {
  std::string name;
  std::string op_type;
  std::string node;
  std::string weight;  // that makes it; empty: not known
  int axis = 0;
  uint64_t elements = 0;          // of a channel, over all inputs
  std::vector<Channel> channels;  // by number
};

// Of every tensor of numbers with two dims or more and 2 channels or more.
// Elements that aren't finite don't count. Throws Error(kUsage): a value
// doesn't have that axis. Error(kInput).
std::vector<ValueChannels> ChannelsOf(const ValueSource& source,
                                      const ChannelOptions& options);

// Fills in ValueChannels::weight from the model: the weight of the nearest node
// before the value that has one.
void NameWeights(const std::string& model, std::vector<ValueChannels>& values);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_CHANNELS_H_
