#include "pipeline/first_bad.h"

#include <string>

namespace onnx_expose {

bool IsBad(const Statistics& stats, StopAt what) {
  constexpr double kLargestFloat16 = 65504;
  switch (what) {
    case StopAt::kNan:
      return stats.nan > 0;
    case StopAt::kInf:
      return stats.pos_inf + stats.neg_inf > 0;
    case StopAt::kOverflow:
      break;
  }
  return stats.pos_inf + stats.neg_inf > 0 ||
         GreatestMagnitude(stats) > kLargestFloat16;
}

void FirstBad::AddInput(const Feed& feed) {
  const int value = index_.FindIn(0, feed.name);
  if (value >= 0) seen_[value] = IsBad(ComputeStatistics(feed.data), what_);
}

bool FirstBad::Add(const Place& place, const Statistics& stats) {
  const bool bad = IsBad(stats, what_);
  if (place.original < 0) return bad;
  seen_[place.original] = bad;
  if (!bad) return false;
  const Value& value = index_.values()[static_cast<size_t>(place.original)];
  if (value.node < 0) return false;
  inputs_known_ = true;
  for (const int input : index_.Reads(value.node)) {
    const std::optional<bool> bad_input = IsBadInput(input);
    if (bad_input.value_or(false)) return false;
    inputs_known_ &= bad_input.has_value();
  }
  return true;
}

std::optional<bool> FirstBad::IsBadInput(int value) {
  const auto found = seen_.find(value);
  if (found != seen_.end()) return found->second;
  const Value& input = index_.values()[static_cast<size_t>(value)];
  if (input.scope != 0 || input.kind != Value::Kind::kInitializer) return {};
  return seen_[value] = IsBad(initializers_(std::string(input.name)), what_);
}

}  // namespace onnx_expose
