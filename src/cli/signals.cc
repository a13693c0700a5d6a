#include "cli/signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <string_view>

#include "onnx_expose/error.h"
#include "support/temporary_file.h"

namespace onnx_expose::cli {
namespace {

void Stop(int number) {
  RemoveTemporaryFiles();
  if (number == SIGPIPE) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
    return;
  }
  ::_exit(static_cast<int>(ExitCode::kInterrupted));
}

void FailOnShorterFile(int) {
  RemoveTemporaryFiles();
  constexpr std::string_view kText =
      "onnx-expose: error: a file became shorter while it was read\n"
      "hint: is another program writing it?\n";
  [[maybe_unused]] const ssize_t put =
      ::write(STDERR_FILENO, kText.data(), kText.size());
  ::_exit(static_cast<int>(ExitCode::kInput));
}

}  // namespace

void InstallSignalHandlers() {
  std::signal(SIGBUS, FailOnShorterFile);
  // A file beyond `ulimit -f` is then an error of write, as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction action = {};
    // nohup and shells ignore signals for their children on purpose.
    if (::sigaction(number, nullptr, &action) == 0 &&
        action.sa_handler == SIG_IGN) {
      continue;
    }
    action = {};
    action.sa_handler = Stop;
    ::sigaction(number, &action, nullptr);
  }
}

void KeepStandardStreams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) != -1) continue;
    // Not for writing in the case of standard output: data must not vanish.
    const int mode = fd == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    if (::open("/dev/null", mode) != fd) ::_exit(1);
  }
}

}  // namespace onnx_expose::cli
