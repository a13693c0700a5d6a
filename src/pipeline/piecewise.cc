#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "onnx_expose/graph_index.h"
#include "onnx_expose/submodel.h"
#include "onnx_expose/value_types.h"
#include "pipeline/boundary.h"
#include "pipeline/execution.h"
#include "pipeline/feed_types.h"
#include "pipeline/pieces.h"
#include "support/at.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// ONNX Runtime's words for it: its own, and those of plain new and of our
// limit.
bool IsLackOfMemory(const Error& error) {
  const std::string& what = error.message().what;
  return what.find("Failed to allocate memory") != std::string::npos ||
         what.find("bad_alloc") != std::string::npos;
}

// Inference is about the whole model: for pieces of single nodes it would take
// longer than all else. What it may tell is a matter of speed only.
constexpr int kPiecesPerInference = 8;

// The model with its inputs declared as what they are fed with.
Skeleton WithFeeds(const Skeleton& model, const FeedSet& feeds) {
  Skeleton result = model.Clone();
  std::unordered_map<std::string, const Data*> data;
  for (const Feed& feed : feeds.feeds) data[feed.name] = &feed.data;
  for (auto& input : *result.proto.mutable_graph()->mutable_input()) {
    const auto found = data.find(input.name());
    if (found == data.end()) continue;
    *input.mutable_type() = TypeOf(*found->second, input.type());
  }
  return result;
}

// One run of the model with one set of feeds.
class PiecewiseRun {
 public:
  PiecewiseRun(const Skeleton& model, const ValueTypes& declared,
               const Runtime& runtime, const SessionOptions& options,
               uint64_t max_memory, ScratchFolder& scratch,
               const FeedSet& feeds, const std::vector<std::string>& values)
      : model_(WithFeeds(model, feeds)),
        declared_(declared),
        runtime_(runtime),
        options_(options),
        max_memory_(max_memory),
        scratch_(scratch),
        feeds_(feeds),
        values_(values),
        index_(model_.proto),
        plan_(index_, values),
        boundary_(max_memory / 4, scratch) {}

  size_t Run(const ValueSink& sink) {
    uint64_t fed = 0;
    for (const Feed& feed : feeds_.feeds) {
      fed_[feed.name] = &feed.data;
      fed += SizeOf(feed.data);
    }
    types_ = InferTypes(index_, infer_);
    plan_.SetTypes(types_);
    size_t pieces = 0;
    size_t begin = 0;
    do {
      const uint64_t held = fed + boundary_.bytes();
      const uint64_t left = max_memory_ - std::min(max_memory_, held);
      size_t end = plan_.steps() == 0 ? 0 : plan_.End(begin, left);
      if (!RunPiece(begin, end, sink)) break;
      begin = end;
      ++pieces;
    } while (begin < plan_.steps());
    return pieces;
  }

  Warnings TakeWarnings() { return std::move(warnings_); }

 private:
  std::string Name(int value) const {
    return std::string(index_.values()[At(value)].name);
  }

  // What the piece must be fed; what isn't there is an initializer.
  void AddInputs(const std::vector<int>& nodes, SubmodelOptions& part,
                 std::vector<Feed>& feeds) const {
    for (const std::string& name : InputsOf(index_, nodes)) {
      const int value = index_.FindIn(0, name);
      const auto fed = fed_.find(name);
      Data data;
      if (fed != fed_.end()) {
        data = *fed->second;
      } else if (boundary_.Has(value)) {
        data = boundary_.Get(value);
      } else {
        continue;
      }
      part.inputs.emplace_back(name,
                               InputType(data, declared_.types[At(value)]));
      feeds.push_back({name, std::move(data), ""});
    }
  }

  // Wanted values that no node computes: inputs and initializers.
  void AddGiven(SubmodelOptions& part, std::vector<Feed>& feeds) const {
    for (const std::string& name : values_) {
      const int value = index_.FindIn(0, name);
      if (value < 0 || index_.values()[At(value)].node >= 0) continue;
      part.outputs.push_back(name);
      const auto fed = fed_.find(name);
      const bool there =
          std::any_of(part.inputs.begin(), part.inputs.end(),
                      [&](const auto& input) { return input.first == name; });
      if (fed == fed_.end() || there) continue;
      part.inputs.emplace_back(
          name, InputType(*fed->second, declared_.types[At(value)]));
      feeds.push_back({name, *fed->second, ""});
    }
  }

  // Makes `end` smaller if the piece turns out to need too much memory. What
  // can't be cut gets what it needs.
  bool RunPiece(size_t begin, size_t& end, const ValueSink& sink) {
    options_.max_bytes = max_memory_;
    while (true) {
      SubmodelOptions part;
      part.nodes = plan_.Nodes(begin, end);
      std::vector<Feed> feeds;
      AddInputs(part.nodes, part, feeds);
      if (begin == 0) AddGiven(part, feeds);
      for (const int value : plan_.Outputs(begin, end)) {
        part.outputs.push_back(Name(value));
      }
      if (part.outputs.empty()) return true;
      std::vector<Data> results;
      try {
        results = Compute(part, feeds);
      } catch (const Error& error) {
        const size_t half = plan_.Half(begin, end);
        const bool whole = half >= end;
        if (!IsLackOfMemory(error) ||
            (whole && options_.max_bytes > max_memory_)) {
          throw;
        }
        if (whole) options_.max_bytes = std::numeric_limits<int64_t>::max();
        end = std::min(half, end);
        continue;
      }
      feeds.clear();
      return HandOut(part.outputs, std::move(results), end, sink);
    }
  }

  std::vector<Data> Compute(const SubmodelOptions& part,
                            const std::vector<Feed>& feeds) {
    const Skeleton model = ExtractSubmodel(model_, index_, part);
    Session session(runtime_, Runnable(model, runtime_, scratch_), options_);
    std::vector<Data> results;
    try {
      results = session.Run(feeds, part.outputs);
    } catch (const Error& error) {
      // The piece is run again; what was said about this try is of no use.
      if (IsLackOfMemory(error)) session.TakeWarnings();
      throw;
    }
    const Warnings warnings = session.TakeWarnings();
    warnings_.insert(warnings_.end(), warnings.begin(), warnings.end());
    return results;
  }

  bool HandOut(const std::vector<std::string>& names, std::vector<Data> results,
               size_t end, const ValueSink& sink) {
    std::unordered_map<std::string, Data*> computed;
    bool more_known = false;
    for (size_t i = 0; i < names.size(); ++i) {
      computed[names[i]] = &results[i];
      const int value = index_.FindIn(0, names[i]);
      if (plan_.IsReadFrom(end, value) && plan_.IsUnknown(value)) {
        infer_.given.emplace_back(names[i],
                                  TypeOf(results[i], types_.types[At(value)]));
        more_known = true;
      }
    }
    // In the order they were asked for.
    while (next_ < values_.size()) {
      const auto found = computed.find(values_[next_]);
      if (found == computed.end()) break;
      ++next_;
      const int value = index_.FindIn(0, found->first);
      Data data = std::move(*found->second);
      if (plan_.IsReadFrom(end, value)) *found->second = data;
      if (!sink(found->first, std::move(data))) return false;
    }
    for (auto& [name, data] : computed) {
      const int value = index_.FindIn(0, name);
      const bool is_input = fed_.count(name) > 0;
      if (plan_.IsReadFrom(end, value) && !is_input) {
        boundary_.Add(value, std::move(*data));
      }
    }
    for (int value = 0; value < static_cast<int>(index_.values().size());
         ++value) {
      if (!plan_.IsReadFrom(end, value)) boundary_.Drop(value);
    }
    more_known_ = more_known_ || more_known;
    if (more_known_ && ++waited_ >= kPiecesPerInference &&
        plan_.HasUnknown(end)) {
      types_ = InferTypes(index_, infer_);
      plan_.SetTypes(types_);
      more_known_ = false;
      waited_ = 0;
    }
    return true;
  }

  Skeleton model_;
  const ValueTypes& declared_;
  const Runtime& runtime_;
  SessionOptions options_;
  uint64_t max_memory_;
  ScratchFolder& scratch_;
  const FeedSet& feeds_;
  const std::vector<std::string>& values_;
  GraphIndex index_;
  PiecePlan plan_;
  Boundary boundary_;
  InferOptions infer_;
  ValueTypes types_;
  std::unordered_map<std::string, const Data*> fed_;
  Warnings warnings_;
  size_t next_ = 0;          // in `values_`
  bool more_known_ = false;  // than at the last inference
  int waited_ = 0;           // pieces since
};

class Piecewise : public Execution {
 public:
  Piecewise(const Skeleton& model, const Runtime& runtime,
            const SessionOptions& options, uint64_t max_memory,
            ScratchFolder& scratch)
      : model_(model),
        declared_(InferTypes(GraphIndex(model.proto), {})),
        runtime_(runtime),
        options_(options),
        max_memory_(max_memory),
        scratch_(scratch) {}

  void Run(const FeedSet& feeds, const std::vector<std::string>& values,
           const ValueSink& sink) override {
    PiecewiseRun run(model_, declared_, runtime_, options_, max_memory_,
                     scratch_, feeds, values);
    pieces_ = run.Run(sink);
    const Warnings warnings = run.TakeWarnings();
    warnings_.insert(warnings_.end(), warnings.begin(), warnings.end());
  }

  Warnings TakeWarnings() override { return std::exchange(warnings_, {}); }
  size_t pieces() const override { return pieces_; }

 private:
  const Skeleton& model_;
  ValueTypes declared_;  // whatever it is fed with
  const Runtime& runtime_;
  SessionOptions options_;
  uint64_t max_memory_;
  ScratchFolder& scratch_;
  Warnings warnings_;
  size_t pieces_ = 0;
};

}  // namespace

std::unique_ptr<Execution> PiecewiseExecution(const Skeleton& model,
                                              const Runtime& runtime,
                                              const SessionOptions& options,
                                              uint64_t max_memory,
                                              ScratchFolder& scratch) {
  return std::make_unique<Piecewise>(model, runtime, options, max_memory,
                                     scratch);
}

}  // namespace onnx_expose
