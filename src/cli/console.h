#ifndef ONNX_EXPOSE_CLI_CONSOLE_H_
#define ONNX_EXPOSE_CLI_CONSOLE_H_

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

#include "onnx_expose/error.h"

namespace onnx_expose::cli {

// What is said to a person and the data that goes to standard output.
class Console {
 public:
  enum class Verbosity { kQuiet, kNormal, kVerbose };

  Console(std::FILE* out, std::FILE* err, bool colour);

  void set_verbosity(Verbosity verbosity) { verbosity_ = verbosity; }

  // "onnx-expose: TEXT"; not said when quiet.
  void Say(std::string_view text);
  // A warning about `file`, which may be empty; not said when quiet.
  void Warn(const std::string& file, const Message& message);
  void Warn(const std::string& file, const Warnings& warnings);
  // The one error line of a run that failed; always said.
  void Fail(const Error& error);
  // When verbose: the stage `name` begins now, and how long the one before it
  // took. An empty name ends the last one.
  void Stage(std::string_view name);

  // How far something is, on a terminal: the line is written over by what is
  // said next. Elsewhere an ordinary line when verbose. Empty: no more of it.
  void Transient(std::string_view text);
  // Whether such lines are written over.
  bool is_terminal() const { return terminal_; }

  // Data on standard output. Throws Error(kOutput) when it can't be written;
  // Flush must be called at the end to know.
  void Write(std::string_view data);
  void Flush();

 private:
  using Clock = std::chrono::steady_clock;

  void Print(std::string_view level, const std::string& file,
             const Message& message);

  std::FILE* out_;
  std::FILE* err_;
  bool colour_;
  bool terminal_;
  bool transient_ = false;  // such a line stands there
  Verbosity verbosity_ = Verbosity::kNormal;
  std::string stage_;
  Clock::time_point stage_start_;
};

// Whether text for a person that goes to the terminal or file `fd` has colour:
// on terminals other than "dumb" ones and wherever CLICOLOR_FORCE is set, but
// never with NO_COLOR.
bool WantsColour(int fd);

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_CONSOLE_H_
