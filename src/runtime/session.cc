#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/input_infos.h"
#include "runtime/runtime_state.h"
#include "runtime/values.h"
#include "support/text.h"

namespace onnx_expose {

struct Session::State {
  const Ort::Env* env = nullptr;
  RuntimeLog* log = nullptr;
  std::string path;
  // ONNX Runtime may refer to the bytes as long as the session lives.
  std::string bytes;
  Ort::Session session{nullptr};
  std::vector<InputInfo> inputs;
  std::vector<std::string> outputs;
  std::vector<std::string> output_types;
};

namespace {

constexpr const char* kFolderKey =
    "session.model_external_initializers_file_folder_path";
constexpr const char* kSharedAllocatorKey = "session.use_env_allocators";
constexpr const char* kNoPrepackKey = "session.disable_prepacking";

GraphOptimizationLevel RuntimeLevel(OptLevel level) {
  switch (level) {
    case OptLevel::kDisable:
      return ORT_DISABLE_ALL;
    case OptLevel::kBasic:
      return ORT_ENABLE_BASIC;
    case OptLevel::kExtended:
      return ORT_ENABLE_EXTENDED;
    case OptLevel::kAll:
      break;
  }
  return ORT_ENABLE_ALL;
}

std::string Lower(std::string text) {
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') letter += 'a' - 'A';
  }
  return text;
}

// The provider that `name` means: its full name, or that without
// "ExecutionProvider", in any case.
std::string FindProvider(const Runtime& runtime, const std::string& name) {
  constexpr std::string_view kSuffix = "ExecutionProvider";
  std::vector<std::string> offered;
  for (const std::string& provider : runtime.providers()) {
    std::string brief =
        provider.ends_with(kSuffix)
            ? provider.substr(0, provider.size() - kSuffix.size())
            : provider;
    if (Lower(name) == Lower(provider) || Lower(name) == Lower(brief)) {
      return brief;
    }
    offered.push_back(Lower(brief));
  }
  throw Error(ExitCode::kRuntime, "",
              {fmt::format("ONNX Runtime {} has no provider {}",
                           runtime.version(), Quoted(name)),
               fmt::format("{} offers {}", Quoted(runtime.path()),
                           Joined(offered, ", ")),
               ""});
}

void AppendProvider(const std::string& provider, Ort::SessionOptions& options) {
  if (provider == "CPU") return;
  if (provider == "CUDA") {
    OrtCUDAProviderOptionsV2* cuda = nullptr;
    Ort::ThrowOnError(Ort::GetApi().CreateCUDAProviderOptions(&cuda));
    const std::unique_ptr<OrtCUDAProviderOptionsV2,
                          decltype(Ort::GetApi().ReleaseCUDAProviderOptions)>
        owner(cuda, Ort::GetApi().ReleaseCUDAProviderOptions);
    options.AppendExecutionProvider_CUDA_V2(*cuda);
    return;
  }
  options.AppendExecutionProvider(provider, {});
}

Ort::SessionOptions RuntimeOptions(const Runtime& runtime,
                                   const ModelSource& model,
                                   const SessionOptions& options) {
  Ort::SessionOptions result;
  result.SetGraphOptimizationLevel(RuntimeLevel(options.opt_level));
  result.SetIntraOpNumThreads(options.threads);
  result.SetInterOpNumThreads(1);
  if (!options.arena) result.DisableCpuMemArena();
  if (options.max_bytes > 0) result.AddConfigEntry(kSharedAllocatorKey, "1");
  if (!options.prepack) result.AddConfigEntry(kNoPrepackKey, "1");
  if (!model.folder.empty()) {
    result.AddConfigEntry(kFolderKey, model.folder.c_str());
  }
  if (!options.profile_prefix.empty()) {
    result.EnableProfiling(options.profile_prefix.c_str());
  }
  for (const std::string& library : options.custom_op_libraries) {
    result.RegisterCustomOpsLibrary(library.c_str());
  }
  AppendProvider(FindProvider(runtime, options.provider), result);
  return result;
}

std::vector<const char*> Pointers(const std::vector<std::string>& names) {
  std::vector<const char*> pointers;
  for (const std::string& name : names) pointers.push_back(name.c_str());
  return pointers;
}

// Nothing is known about an input that isn't there; ONNX Runtime will say so.
const InputInfo& Find(const std::vector<InputInfo>& inputs,
                      const std::string& name) {
  static const InputInfo unknown;
  const auto found =
      std::find_if(inputs.begin(), inputs.end(),
                   [&](const auto& input) { return input.name == name; });
  return found == inputs.end() ? unknown : *found;
}

}  // namespace

Session::Session(const Runtime& runtime, const ModelSource& model,
                 const SessionOptions& options)
    : state_(std::make_unique<State>()) {
  state_->env = &*runtime.state_->env;
  state_->log = &runtime.state_->log;
  state_->path = model.name.empty() ? model.path : model.name;
  state_->bytes = model.bytes;
  WithRuntimeErrors(state_->path, "ONNX Runtime can't load it", [&] {
    if (options.max_bytes > 0) {
      auto& cap = runtime.state_->cap;
      if (!cap) cap = std::make_unique<MemoryCap>(*runtime.state_->env);
      cap->SetLimit(options.max_bytes);
    }
    const Ort::SessionOptions session_options =
        RuntimeOptions(runtime, model, options);
    const Ort::Env& env = *state_->env;
    state_->session =
        model.bytes.empty()
            ? Ort::Session(env, model.path.c_str(), session_options)
            : Ort::Session(env, state_->bytes.data(), state_->bytes.size(),
                           session_options);
    state_->inputs = InputInfos(state_->session);
    Ort::AllocatorWithDefaultOptions allocator;
    for (size_t i = 0; i < state_->session.GetOutputCount(); ++i) {
      state_->outputs.emplace_back(
          state_->session.GetOutputNameAllocated(i, allocator).get());
      state_->output_types.push_back(
          RuntimeTypeText(state_->session.GetOutputTypeInfo(i)));
    }
  });
}

Session::~Session() = default;
Session::Session(Session&&) noexcept = default;

const std::vector<InputInfo>& Session::inputs() const { return state_->inputs; }

const std::vector<std::string>& Session::outputs() const {
  return state_->outputs;
}

const std::vector<std::string>& Session::output_types() const {
  return state_->output_types;
}

std::vector<Data> Session::Run(std::span<const Feed> feeds,
                               const std::vector<std::string>& outputs) {
  return WithRuntimeErrors(state_->path, "the run failed", [&] {
    std::vector<std::string> names;
    std::vector<Ort::Value> values;
    for (const Feed& feed : feeds) {
      if (feed.data.kind == Data::Kind::kNone) continue;
      names.push_back(feed.name);
      values.push_back(
          ToRuntime(*state_->env, Find(state_->inputs, feed.name), feed.data));
    }
    const std::vector<const char*> input_names = Pointers(names);
    const std::vector<const char*> output_names = Pointers(outputs);
    std::vector<Ort::Value> results = state_->session.Run(
        Ort::RunOptions{nullptr}, input_names.data(), values.data(),
        values.size(), output_names.data(), output_names.size());
    std::vector<Data> data;
    for (Ort::Value& result : results) {
      data.push_back(FromRuntime(std::move(result)));
    }
    return data;
  });
}

std::string Session::EndProfiling() {
  Ort::AllocatorWithDefaultOptions allocator;
  return state_->session.EndProfilingAllocated(allocator).get();
}

Warnings Session::TakeWarnings() { return state_->log->Take(); }

}  // namespace onnx_expose
