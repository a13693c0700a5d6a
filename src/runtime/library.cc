#include <dlfcn.h>
#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/runtime_state.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

// The version whose functions are called; a newer one is not asked for, because
// an older library would print a complaint.
constexpr int kOldestMinor = 17;

int MinorVersion(std::string_view version) {
  int minor = 0;
  if (version.starts_with("1.")) {
    std::from_chars(version.data() + 2, version.data() + version.size(), minor);
  }
  return minor;
}

// ONNX Runtime calls this from any thread.
void ORT_API_CALL Log(void* log, OrtLoggingLevel, const char*, const char*,
                      const char*, const char* message) {
  static_cast<RuntimeLog*>(log)->Add(message);
}

Error Missing(const std::vector<std::string>& tried) {
  return Error(ExitCode::kRuntime, "",
               {"there is no ONNX Runtime on this machine",
                "looked for " + NameList(tried),
                "get one with 'pip install onnxruntime' (or "
                "scripts/onnxruntime.sh of the sources), or name its library "
                "with --ort-lib FILE"});
}

}  // namespace

Runtime::Runtime(const std::vector<std::string>& candidates)
    : state_(std::make_unique<State>()) {
  std::string why_not;
  for (const std::string& path : candidates) {
    // Never closed: ONNX Runtime's threads and statics outlive us.
    void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      if (candidates.size() == 1) why_not = ::dlerror();
      continue;
    }
    using GetApiBase = const OrtApiBase* (*)();
    const auto get_base =
        reinterpret_cast<GetApiBase>(::dlsym(library, "OrtGetApiBase"));
    if (get_base == nullptr) {
      why_not = fmt::format("{} is no ONNX Runtime", Quoted(path));
      continue;
    }
    state_->version = get_base()->GetVersionString();
    state_->minor = MinorVersion(state_->version);
    if (state_->minor < kOldestMinor) {
      why_not = fmt::format(
          "{} is ONNX Runtime {}, and 1.{} is the oldest "
          "that will do",
          Quoted(path), state_->version, kOldestMinor);
      continue;
    }
    Ort::InitApi(get_base()->GetApi(kOldestMinor));
    Dl_info info{};
    const bool found =
        ::dladdr(reinterpret_cast<const void*>(get_base), &info) != 0;
    state_->path = found && info.dli_fname != nullptr ? info.dli_fname : path;
    WithRuntimeErrors(path, "ONNX Runtime doesn't start", [&] {
      state_->env.emplace(ORT_LOGGING_LEVEL_WARNING, "onnx-expose", Log,
                          &state_->log);
    });
    return;
  }
  if (why_not.empty()) throw Missing(candidates);
  throw Error(ExitCode::kRuntime, "",
              {why_not, "",
               "get one with 'pip install onnxruntime', or name its library "
               "with --ort-lib FILE"});
}

Runtime::~Runtime() = default;

const std::string& Runtime::version() const { return state_->version; }

const std::string& Runtime::path() const { return state_->path; }

std::vector<std::string> Runtime::providers() const {
  return Ort::GetAvailableProviders();
}

bool Runtime::reads_weights_beside_memory() const {
  return state_->minor >= 21;
}

}  // namespace onnx_expose
