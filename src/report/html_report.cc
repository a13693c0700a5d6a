#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "onnx_expose/report.h"
#include "report/html_page.h"
#include "report/page_data.h"
#include "support/json.h"
#include "support/text.h"

namespace onnx_expose {
namespace {

constexpr uint64_t kLargestBudget = 1 << 16;
constexpr uint64_t kSmallestBudget = 256;

// How many elements of a tensor there is room for: base64 takes four bytes for
// three, of two dumps there are three pictures.
uint64_t BudgetOf(const ReportSubject& subject, uint64_t room) {
  const uint64_t pictures = std::max<uint64_t>(1, subject.values().size()) *
                            (subject.folders().size() == 2 ? 3 : 1);
  return std::clamp(room / pictures * 3 / 4, kSmallestBudget, kLargestBudget);
}

[[noreturn]] void RefuseSize(uint64_t max_bytes) {
  throw Error(
      ExitCode::kOutput, "",
      {fmt::format("the page becomes larger than {}", ByteText(max_bytes)), "",
       "give --max-size more, or leave --full out"});
}

}  // namespace

std::string HtmlReport(const ReportSubject& subject,
                       const HtmlOptions& options) {
  Json overview = OverviewJson(subject);
  const uint64_t fixed = HtmlPage(JsonText(overview, -1), false).size();
  const uint64_t room = options.max_bytes - std::min(options.max_bytes, fixed);
  const uint64_t budget = options.full ? std::numeric_limits<uint64_t>::max()
                                       : BudgetOf(subject, room);
  uint64_t used = fixed;
  for (size_t i = 0; i < subject.values().size(); ++i) {
    Json elements = ElementsJson(subject, subject.values()[i], budget);
    for (const char* side : {"a", "b", "diff"}) {
      if (elements[side].is_null()) continue;
      used += elements[side]["codes"].get_ref<const std::string&>().size();
    }
    if (options.full && used > options.max_bytes) RefuseSize(options.max_bytes);
    overview["values"][i]["elements"] = std::move(elements);
  }
  return HtmlPage(JsonText(overview, -1), /*live=*/false);
}

}  // namespace onnx_expose
