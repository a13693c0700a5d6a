#ifndef ONNX_EXPOSE_FEEDS_H_
#define ONNX_EXPOSE_FEEDS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "onnx_expose/error.h"
#include "onnx_expose/tensor.h"

namespace onnx_expose {

// What a model wants for one of its inputs.
struct InputInfo {
  enum class Kind { kTensor, kSequence, kMap, kOther };
  struct Dim {
    int64_t size = -1;   // -1: not fixed
    std::string symbol;  // "N"; may be empty
  };

  std::string name;
  Kind kind = Kind::kTensor;
  bool optional = false;     // optional(...): none will do
  bool has_default = false;  // an initializer: need not be fed
  int element_type = 0;      // of the tensor, or of the sequence's tensors
  std::optional<std::vector<Dim>> dims;  // nothing: rank not known
  std::string type;                      // for messages: "float[N,3,224,224]"
  // The numbers are indices into something of this size (0: that isn't known):
  // random ones stay below it.
  int64_t index_bound = 0;
};

struct FeedOptions {
  // --input x=FILE, x=FILE.npz:MEMBER: .npy, .npz, .pb, pictures, and any other
  // file as raw bytes.
  std::vector<std::pair<std::string, std::string>> files;
  // --inputs WHAT: a test_data_set_N folder, a folder or .npz keyed by name;
  // a pattern ('calib/*.npz') or several: one set each.
  std::vector<std::string> sets;
  // --random x=uniform(0,1), normal(0,1), integers(0,100) (99 is the last),
  // constant(1). Otherwise floats are uniform(0,1), integers and bools lie
  // below index_bound or 10 or what their type holds, strings are short words.
  std::vector<std::pair<std::string, std::string>> random;
  uint64_t seed = 0;
  std::vector<std::pair<std::string, int64_t>> dims;  // --dim N=2
  // --shape x=1,3,224,224
  std::vector<std::pair<std::string, std::vector<int64_t>>> shapes;
  // Pictures: (pixel / 255 - mean) / scale, per channel or one for all.
  std::vector<double> mean;
  std::vector<double> scale;
};

struct Feed {
  std::string name;
  Data data;
  std::string source;  // "x.npy", "uniform(0,1), seed 0"
};

struct FeedSet {
  std::string name;  // "test_data_set_0", "cat"; empty if it is the only one
  std::vector<Feed> feeds;
  Warnings warnings;  // free dims taken to be 1, ...
};

// The data sets of one run. Each is read when asked for, so that any number of
// them needs the memory of one.
//
//   const FeedPlan plan = PlanFeeds(inputs, options);
//   for (const FeedSource& source : plan) {
//     Run(LoadFeeds(inputs, options, source));
//   }
struct FeedSource {
  std::string name;
  std::string path;  // empty: nothing but `files` and random numbers
};
using FeedPlan = std::vector<FeedSource>;

// Which sets there are, in natural order (2 before 10), names made unique. One
// if `options` names none. Throws Error(kUsage, kInput): an option that names
// no input of the model (did you mean), a pattern that fits nothing.
FeedPlan PlanFeeds(const std::vector<InputInfo>& inputs,
                   const FeedOptions& options);

// One value for each input, checked: type, rank, fixed dims; different sizes
// for one symbol are a warning, for ONNX Runtime takes them and models declare
// wrong ones. `files` wins over the set, the set over random numbers; what has
// a default and isn't given is left out, unless `random` has a rule for it.
// Free dims of random inputs get the size of `shapes`, of `dims`, of the feed
// with the same symbol, or 1 with a warning. Random numbers depend on the seed,
// the name of the input and the name of the set, not on the order of inputs.
// No type is converted to another; raw bits in uint8 and uint16 are taken for
// types that numpy doesn't have. Error(kInput) names the input, what it wants
// and what it was given.
FeedSet LoadFeeds(const std::vector<InputInfo>& inputs,
                  const FeedOptions& options, const FeedSource& source);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_FEEDS_H_
