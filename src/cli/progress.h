#ifndef ONNX_EXPOSE_CLI_PROGRESS_H_
#define ONNX_EXPOSE_CLI_PROGRESS_H_

#include <chrono>

#include "cli/console.h"
#include "onnx_expose/run.h"

namespace onnx_expose::cli {

// How far a run is: a line that is written over on a terminal; when verbose a
// line now and then elsewhere.
class Progress {
 public:
  explicit Progress(Console& console) : console_(console) {}
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Show(const RunProgress& done);
  // Takes the line away again.
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;

  Console& console_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
};

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_PROGRESS_H_
