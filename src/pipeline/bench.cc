#include "onnx_expose/bench.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include "onnx_expose/graph_index.h"
#include "onnx_expose/loader.h"
#include "onnx_expose/value_types.h"
#include "pipeline/model_inputs.h"
#include "pipeline/node_times.h"
#include "pipeline/runnable.h"

namespace onnx_expose {
namespace {

double TimeOf(Session& session, const FeedSet& feeds) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const std::vector<Data> results = session.Run(feeds.feeds, session.outputs());
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

// A session and the times of its runs.
struct Candidate {
  Session session;
  std::vector<double> times;
};

std::optional<Latency> Measured(const std::optional<Candidate>& candidate) {
  if (!candidate.has_value()) return {};
  return LatencyOf(candidate->times);
}

void Measure(const BenchRequest& request, const FeedSet& feeds,
             std::optional<Candidate>& release,
             std::optional<Candidate>& debug) {
  for (size_t i = 0; i < request.warmup + request.repeat; ++i) {
    for (std::optional<Candidate>* candidate : {&release, &debug}) {
      if (!candidate->has_value()) continue;
      const double time = TimeOf((*candidate)->session, feeds);
      if (i >= request.warmup) (*candidate)->times.push_back(time);
    }
  }
}

std::vector<NodeTime> Profile(const BenchRequest& request,
                              const Runtime& runtime, const ModelSource& source,
                              SessionOptions options, const FeedSet& feeds,
                              ScratchFolder& scratch) {
  options.profile_prefix = scratch.NewPath("profile");
  Session session(runtime, source, options);
  for (size_t i = 0; i < request.repeat; ++i) TimeOf(session, feeds);
  return NodeTimes(session.EndProfiling(), request.repeat);
}

}  // namespace

BenchResult BenchModel(const BenchRequest& request) {
  const auto stage = [&](std::string_view name) {
    if (request.on_stage) request.on_stage(name);
  };
  BenchResult result;
  stage("load");
  const Skeleton model = LoadModel(request.model);
  stage("infer");
  const GraphIndex index(model.proto);
  const ValueTypes types = InferTypes(index, {});
  Skeleton exposed = model.Clone();
  const bool with_debug = request.debug && request.select.includes_something();
  if (with_debug) {
    stage("expose");
    const GraphIndex before(exposed.proto);
    const Selection selection = SelectValues(before, types, request.select);
    const ExposeReport report =
        ExposeOutputs(exposed, before, types, selection, request.expose);
    result.exposed = report.added.size();
    result.warnings = report.warnings;
  }
  const std::vector<InputInfo> inputs = ModelInputs(index, types);
  const FeedPlan plan = PlanFeeds(inputs, request.feeds);
  const FeedSet feeds = LoadFeeds(inputs, request.feeds, plan.front());
  result.warnings.insert(result.warnings.end(), feeds.warnings.begin(),
                         feeds.warnings.end());

  stage("start");
  const Runtime runtime(request.libraries);
  result.runtime_version = runtime.version();
  ScratchFolder scratch(std::filesystem::temp_directory_path() / "bench");
  SessionOptions options = request.session;
  options.arena = true;
  std::optional<Candidate> release;
  std::optional<Candidate> debug;
  const auto open = [&](const Skeleton& what) {
    return Candidate{
        Session(runtime, Runnable(what, runtime, scratch), options), {}};
  };
  if (request.release || !with_debug) release.emplace(open(model));
  if (with_debug) debug.emplace(open(exposed));
  stage("run");
  Measure(request, feeds, release, debug);
  result.release = Measured(release);
  result.debug = Measured(debug);
  if (request.per_node) {
    stage("profile");
    const Skeleton& what = with_debug ? exposed : model;
    result.nodes = Profile(request, runtime, Runnable(what, runtime, scratch),
                           options, feeds, scratch);
  }
  return result;
}

}  // namespace onnx_expose
