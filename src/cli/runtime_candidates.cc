#include <glob.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/runtime_options.h"

namespace onnx_expose::cli {
namespace {

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Files that fit a shell pattern, the newest version first: names sort as
// versions do while their numbers have two digits.
void AddMatches(const std::string& pattern, std::vector<std::string>& into) {
  glob_t found{};
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    into.insert(into.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    std::reverse(into.end() - static_cast<std::ptrdiff_t>(found.gl_pathc),
                 into.end());
  }
  ::globfree(&found);
}

}  // namespace

std::vector<std::string> RuntimeCandidates() {
  const std::string named = Variable("ONNX_EXPOSE_ORT");
  if (!named.empty()) return {named};
  const std::string home = Variable("HOME");
  std::string cache = Variable("XDG_CACHE_HOME");
  if (cache.empty()) cache = home + "/.cache";

  std::vector<std::string> candidates = {"libonnxruntime.so",
                                         "libonnxruntime.so.1"};
  AddMatches(cache + "/onnx-expose/onnxruntime-*/libonnxruntime.so*",
             candidates);
  constexpr const char* kPackage =
      "-packages/onnxruntime/capi/libonnxruntime.so*";
  for (const char* prefix : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const std::string folder = Variable(prefix);
    if (folder.empty()) continue;
    AddMatches(folder + "/lib/libonnxruntime.so*", candidates);
    AddMatches(folder + "/lib/python3*/site" + kPackage, candidates);
  }
  for (const std::string& folder :
       {home + "/.local", std::string("/usr/local"), std::string("/usr")}) {
    AddMatches(folder + "/lib/python3*/*" + kPackage, candidates);
  }
  return candidates;
}

}  // namespace onnx_expose::cli
