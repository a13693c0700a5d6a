#include "onnx_expose/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "onnx_expose/graph_index.h"
#include "onnx_expose/loader.h"
#include "onnx_expose/submodel.h"
#include "onnx_expose/value_types.h"
#include "pipeline/execution.h"
#include "pipeline/first_bad.h"
#include "pipeline/model_inputs.h"
#include "pipeline/places.h"
#include "pipeline/run_notes.h"
#include "pipeline/runnable.h"
#include "pipeline/same_bits.h"
#include "pipeline/version_folder.h"
#include "support/file.h"
#include "support/text.h"
#include "tensor/sha256.h"

namespace onnx_expose {
namespace {

constexpr const char* kOptLevelNames[] = {"disable", "basic", "extended",
                                          "all"};

std::string Sha256Of(const InputFile& file) {
  Sha256Sum sum;
  std::vector<std::byte> block(size_t{1} << 20);
  for (uint64_t at = 0; at < file.size(); at += block.size()) {
    const size_t size = std::min<uint64_t>(block.size(), file.size() - at);
    if (!ReadAt(file.fd(), at, block.data(), size)) {
      throw Error(ExitCode::kInput, file.path(),
                  {"can't read: " + ErrnoText(), "", ""});
    }
    sum.Add(std::span(block).first(size));
  }
  return sum.Hex();
}

// What is the same for all data sets of a run.
class Runner {
 public:
  explicit Runner(const RunRequest& request)
      : request_(request),
        model_(LoadStage(request)),
        index_(model_.proto),
        debug_(model_.Clone()),
        runtime_(request.libraries),
        scratch_(request.output) {}

  RunResult Run() {
    Expose();
    const std::vector<InputInfo> inputs = ModelInputs(index_, types_);
    const FeedPlan plan = PlanFeeds(inputs, request_.feeds);
    Stage("start");
    OpenSessions(plan.size() > 1);
    const std::string folder = OutputFolder();
    model_sha256_ = Sha256Of(*model_.source);
    for (const FeedSource& source : plan) {
      Stage("run");
      const FeedSet feeds = LoadFeeds(inputs, request_.feeds, source);
      Say(feeds.warnings);
      RunSet(feeds, plan.size() > 1 ? folder + "/" + source.name : folder);
      if (result_.first_bad.has_value()) break;
    }
    result_.pieces = execution_->pieces();
    return std::move(result_);
  }

 private:
  static Skeleton LoadStage(const RunRequest& request) {
    if (request.on_stage) request.on_stage("load");
    return LoadModel(request.model);
  }

  void Stage(std::string_view name) const {
    if (request_.on_stage) request_.on_stage(name);
  }

  // Each thing once, however many data sets give reason to.
  void Say(const Warnings& warnings) {
    for (const Message& warning : warnings) {
      const bool said = std::any_of(
          result_.warnings.begin(), result_.warnings.end(),
          [&](const Message& other) {
            return other.what == warning.what && other.note == warning.note &&
                   other.hint == warning.hint;
          });
      if (!said) result_.warnings.push_back(warning);
    }
  }

  void Expose() {
    Stage("infer");
    const GraphIndex index(debug_.proto);
    types_ = InferTypes(index, request_.infer);
    SelectorOptions select = request_.select;
    if (request_.stop_at.has_value()) {
      // What a bad value was made of is looked at as well.
      if (!select.includes_something()) select.all = true;
      select.node_inputs = true;
      select.include_constants = true;
    }
    if (select.includes_something()) {
      Stage("expose");
      const Selection selection = SelectValues(index, types_, select);
      Say(selection.warnings);
      ExposeOptions options = request_.expose;
      options.infer = request_.infer;
      result_.exposed =
          ExposeOutputs(debug_, index, types_, selection, options);
    }
    places_ = PlacesOf(index_, GraphIndex(debug_.proto), result_.exposed.added);
    notes_ = RunNotes(index_, types_, request_.session.provider);
    Say(notes_);
  }

  // One run needs no memory that is kept for the next.
  void OpenSessions(bool many_runs) {
    SessionOptions options = request_.session;
    options.arena = many_runs && request_.max_memory == 0;
    if (request_.max_memory > 0) {
      execution_ = PiecewiseExecution(debug_, runtime_, options,
                                      request_.max_memory, scratch_);
      return;
    }
    execution_ = WholeExecution(
        Session(runtime_, Runnable(debug_, runtime_, scratch_), options));
    if (!request_.verify || result_.exposed.added.empty()) return;
    untouched_ = std::make_unique<Session>(runtime_, Untouched(), options);
  }

  // The model as it lies there, where ONNX Runtime can read it.
  ModelSource Untouched() {
    const InputFile& file = *model_.source;
    if (file.is_stdin() || model_.from_text || file.size() > INT32_MAX) {
      return Runnable(model_, runtime_, scratch_);
    }
    return {file.path(), "", ""};
  }

  std::string OutputFolder() {
    if (!request_.versioned) return request_.output;
    const std::string folder = NewVersionFolder(request_.output);
    result_.debug_model = folder + "/model.onnx";
    WriteModel(debug_, result_.debug_model,
               {.force = false, .copy_data = true});
    return folder + "/outputs";
  }

  DumpHeader Header(const FeedSet& feeds, DumpWriter& dump) const {
    DumpHeader header;
    header.model.path = request_.model;
    header.model.sha256 = model_sha256_;
    header.runtime = {
        runtime_.version(), request_.session.provider,
        kOptLevelNames[static_cast<size_t>(request_.session.opt_level)],
        request_.session.threads};
    for (const Feed& feed : feeds.feeds) {
      header.inputs.push_back(
          dump.AddInput({feed.name, feed.source}, feed.data));
    }
    for (const Message& note : notes_) header.notes.push_back(note.what);
    return header;
  }

  void RunSet(const FeedSet& feeds, const std::string& folder) {
    DumpOptions options = request_.dump;
    // What is kept counts against the budget.
    if (request_.max_memory > 0) {
      constexpr uint64_t kShare = 16;
      options.write_behind =
          std::min(options.write_behind, request_.max_memory / kShare);
    }
    DumpWriter dump(folder, options);
    DumpHeader header = Header(feeds, dump);
    const bool verify = untouched_ != nullptr;
    std::vector<std::pair<std::string, Data>> own_outputs;
    std::optional<FirstBad> first_bad;
    if (request_.stop_at.has_value()) {
      first_bad.emplace(index_, *request_.stop_at,
                        [this](const std::string& name) {
                          return StatisticsOfInitializer(name);
                        });
      for (const Feed& feed : feeds.feeds) first_bad->AddInput(feed);
    }
    std::vector<std::string> names;
    for (const Place& place : places_) names.push_back(place.value.name);
    size_t done = 0;
    const auto save = [&](const std::string& name, Data data) {
      const Place& place = places_[done++];
      const DumpedValue& value = dump.Add(place.value, data);
      if (request_.on_progress) {
        request_.on_progress(
            {feeds.name, done, places_.size(), dump.bytes_written()});
      }
      if (verify && value.original_output) {
        own_outputs.emplace_back(name, std::move(data));
      }
      if (!first_bad.has_value() || !first_bad->Add(place, value.stats)) {
        return true;
      }
      result_.first_bad = {feeds.name, value, first_bad->inputs_known()};
      return false;
    };
    execution_->Run(feeds, names, save);
    Say(execution_->TakeWarnings());
    if (verify) Verify(feeds, own_outputs, header);
    Stage("finish");
    result_.sets.push_back({feeds.name, folder, dump.Finish(header)});
  }

  void Verify(const FeedSet& feeds,
              const std::vector<std::pair<std::string, Data>>& outputs,
              DumpHeader& header) {
    Stage("verify");
    std::vector<std::string> names;
    for (const auto& [name, data] : outputs) names.push_back(name);
    if (names.empty()) return;
    const std::vector<Data> expected = untouched_->Run(feeds.feeds, names);
    for (size_t i = 0; i < names.size(); ++i) {
      if (SameBits(outputs[i].second, expected[i])) continue;
      header.changed_outputs.push_back(names[i]);
    }
    header.original_outputs_unchanged = header.changed_outputs.empty();
    if (header.changed_outputs.empty()) return;
    Say({{fmt::format("exposing changed the model's own outputs {}",
                      NameList(header.changed_outputs)),
          WhyChanged(), ""}});
  }

  std::string WhyChanged() const {
    if (!RandomNodes(index_).empty()) {
      return "the model has random nodes without a seed";
    }
    if (ComputesInFloat16(types_)) {
      return "ONNX Runtime rounds float16 values that are outputs, and keeps "
             "others in float32";
    }
    if (request_.session.opt_level != OptLevel::kDisable) {
      return "optimisations fuse nodes whose values are no outputs; "
             "--opt-level disable leaves the numbers as they are";
    }
    return "";
  }

  Statistics StatisticsOfInitializer(const std::string& name) {
    const Skeleton part = ExtractSubmodel(model_, index_, {{}, {}, {name}});
    Session session(runtime_, Runnable(part, runtime_, scratch_), {});
    return ComputeStatistics(session.Run({}, {name}).front());
  }

  const RunRequest& request_;
  Skeleton model_;
  GraphIndex index_;
  Skeleton debug_;
  Runtime runtime_;
  ScratchFolder scratch_;
  ValueTypes types_;
  std::vector<Place> places_;
  Warnings notes_;
  std::string model_sha256_;
  std::unique_ptr<Execution> execution_;
  std::unique_ptr<Session> untouched_;
  RunResult result_;
};

}  // namespace

RunResult RunModel(const RunRequest& request) { return Runner(request).Run(); }

}  // namespace onnx_expose
