#include "cli/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "support/file.h"
#include "support/text.h"

namespace onnx_expose::cli {
namespace {

constexpr std::string_view kReset = "\033[0m";

std::string_view ColourOf(std::string_view level) {
  if (level == "error") return "\033[1;31m";
  if (level == "warning") return "\033[1;35m";
  if (level == "note") return "\033[1;36m";
  return "\033[1;32m";
}

[[noreturn]] void ThrowOutputError() {
  throw Error(ExitCode::kOutput, "standard output",
              {"can't write: " + ErrnoText(), "", ""});
}

}  // namespace

Console::Console(std::FILE* out, std::FILE* err, bool colour)
    : out_(out),
      err_(err),
      colour_(colour),
      terminal_(isatty(fileno(err)) == 1) {}

void Console::Transient(std::string_view text) {
  if (!terminal_) {
    if (verbosity_ == Verbosity::kVerbose && !text.empty()) Say(text);
    return;
  }
  if (verbosity_ == Verbosity::kQuiet || (text.empty() && !transient_)) return;
  transient_ = !text.empty();
  fmt::print(err_, "\r\033[K{}", text);
  std::fflush(err_);
}

void Console::Say(std::string_view text) {
  if (verbosity_ == Verbosity::kQuiet) return;
  if (transient_) Transient("");
  fmt::print(err_, "onnx-expose: {}\n", text);
}

void Console::Warn(const std::string& file, const Message& message) {
  if (verbosity_ == Verbosity::kQuiet) return;
  Print("warning", file, message);
}

void Console::Warn(const std::string& file, const Warnings& warnings) {
  for (const Message& message : warnings) Warn(file, message);
}

void Console::Fail(const Error& error) {
  const bool standard = error.file() == "-";
  const char* stream =
      error.code() == ExitCode::kOutput ? "standard output" : "standard input";
  Print("error", standard ? stream : error.file(), error.message());
}

void Console::Stage(std::string_view name) {
  if (verbosity_ != Verbosity::kVerbose) return;
  const Clock::time_point now = Clock::now();
  if (!stage_.empty()) {
    const std::chrono::duration<double, std::milli> took = now - stage_start_;
    Say(fmt::format("{}: {:.1f} ms", stage_, took.count()));
  }
  stage_ = name;
  stage_start_ = now;
}

void Console::Print(std::string_view level, const std::string& file,
                    const Message& message) {
  const auto label = [&](std::string_view word) {
    return colour_ ? fmt::format("{}{}:{}", ColourOf(word), word, kReset)
                   : fmt::format("{}:", word);
  };
  if (transient_) Transient("");
  // One write: lines of parallel runs must not mix.
  std::string text = fmt::format("onnx-expose: {} ", label(level));
  if (!file.empty()) text += Printable(file) + ": ";
  text += message.what + "\n";
  if (!message.note.empty()) text += label("note") + " " + message.note + "\n";
  if (!message.hint.empty()) text += label("hint") + " " + message.hint + "\n";
  std::fputs(text.c_str(), err_);
}

void Console::Write(std::string_view data) {
  if (std::fwrite(data.data(), 1, data.size(), out_) != data.size()) {
    ThrowOutputError();
  }
}

void Console::Flush() {
  if (std::fflush(out_) != 0) ThrowOutputError();
}

bool WantsColour(int fd) {
  const auto text = [](const char* name) -> std::string_view {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (!text("NO_COLOR").empty()) return false;
  const std::string_view force = text("CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return true;
  return isatty(fd) == 1 && text("TERM") != "dumb";
}

}  // namespace onnx_expose::cli
