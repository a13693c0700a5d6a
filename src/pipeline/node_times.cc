#include "pipeline/node_times.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "onnx_expose/error.h"
#include "support/json.h"

namespace onnx_expose {

namespace {

Json ReadEvents(const std::string& profile) {
  std::ifstream file(profile, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  try {
    Json events = ParseJson(text);
    if (events.is_array()) return events;
  } catch (const Json::exception&) {
  }
  throw Error(ExitCode::kRuntime, profile,
              {"ONNX Runtime's profile can't be read", "", ""});
}

}  // namespace

std::vector<NodeTime> NodeTimes(const std::string& profile, size_t runs) {
  // Events of nodes are called "<node>_kernel_time".
  constexpr std::string_view kSuffix = "_kernel_time";
  const Json events = ReadEvents(profile);
  std::map<std::pair<std::string, std::string>, NodeTime> times;
  double total = 0;
  for (const auto& event : events) {
    const std::string name = event.value("name", "");
    if (event.value("cat", "") != "Node" || !name.ends_with(kSuffix)) continue;
    const std::string node = name.substr(0, name.size() - kSuffix.size());
    const std::string op = event.contains("args")
                               ? event["args"].value("op_name", "")
                               : std::string();
    NodeTime& time = times[{node, op}];
    time.node = node;
    time.op_type = op;
    ++time.calls;
    const double ms = event.value("dur", 0.0) / 1000;
    time.ms += ms;
    total += ms;
  }
  std::vector<NodeTime> result;
  for (auto& [key, time] : times) {
    time.share = total > 0 ? time.ms / total : 0;
    time.ms /= static_cast<double>(runs);
    time.calls = (time.calls + runs - 1) / runs;
    result.push_back(std::move(time));
  }
  std::stable_sort(
      result.begin(), result.end(),
      [](const NodeTime& a, const NodeTime& b) { return a.ms > b.ms; });
  return result;
}

}  // namespace onnx_expose
