#include "cli/progress.h"

#include <fmt/format.h>

#include "support/text.h"

namespace onnx_expose::cli {

void Progress::Show(const RunProgress& done) {
  using std::chrono::duration;
  // Often enough to see it move, rarely enough to cost nothing.
  const duration<double> pause(console_.is_terminal() ? 0.1 : 2.0);
  const Clock::time_point now = Clock::now();
  if (now - shown_ < pause) return;
  shown_ = now;
  const double passed = duration<double>(now - start_).count();
  const double left = passed / static_cast<double>(done.done) *
                      static_cast<double>(done.total - done.done);
  const std::string set = done.set.empty() ? "" : Printable(done.set) + ": ";
  const std::string text =
      fmt::format("{}{} of {} values, {}, {:.0f} s left", set, done.done,
                  done.total, ByteText(done.bytes), left);
  console_.Transient(text);
}

void Progress::Clear() { console_.Transient(""); }

}  // namespace onnx_expose::cli
